// The game so far with all its variations: a tree of moves, and where in it one stands.

export class GameTree {
  constructor() {
    this.root = { move: null, parent: null, children: [], values: new Map(), value: null, ply: 0 };
    this.current = this.root;
  }

  /** Go on by a move: to where it was tried before, or to a new variation. */
  play(move) {
    let child = this.current.children.find((each) => each.move === move);
    if (!child) {
      child = { move, parent: this.current, children: [], values: new Map(), value: null, ply: this.current.ply + 1 };
      this.current.children.push(child);
    }
    this.current = child;
    return child;
  }

  /** Go where a list of moves leads. */
  follow(moves) {
    this.current = this.root;
    for (const move of moves) this.play(move);
  }

  /** The moves that lead to a node. */
  moves(node = this.current) {
    return this.line(node).slice(1).map((each) => each.move);
  }

  /** The nodes from the root to one. */
  line(node = this.current) {
    const nodes = [];
    for (let each = node; each; each = each.parent) nodes.unshift(each);
    return nodes;
  }

  /** The line through the current node to its end, always by the first variation. */
  whole() {
    const nodes = this.line();
    while (nodes.at(-1).children.length) nodes.push(nodes.at(-1).children[0]);
    return nodes;
  }

  /** Make the variation that leads to a node the main one. */
  promote(node = this.current) {
    for (let each = node; each.parent; each = each.parent) {
      const siblings = each.parent.children;
      siblings.splice(siblings.indexOf(each), 1);
      siblings.unshift(each);
    }
  }

  /** Forget a node and all that follows it. */
  remove(node = this.current) {
    if (!node.parent) return;
    node.parent.children.splice(node.parent.children.indexOf(node), 1);
    this.current = node.parent;
  }

  /** The tree as plain data: [move, [children]]. */
  packed(node = this.root) {
    return node.children.map((child) => [child.move, this.packed(child)]);
  }

  /** The other way round, added to what is there. */
  unpack(packed, node = this.root) {
    for (const [move, below] of packed) {
      this.current = node;
      this.unpack(below, this.play(move));
    }
    this.current = this.root;
  }
}
