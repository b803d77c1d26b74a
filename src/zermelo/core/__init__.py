"""What all searches share: nodes, loops, tables, ordering, memory, answers, and what a method is."""
