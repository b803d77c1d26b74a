// Fixed-depth alpha-beta with a transposition table on 7×6 Connect Four, by hand: what a C++ programmer would
// write for this one game. The same algorithm as the generic kernel: fail-soft, moves in ascending order, the
// table's move first, buckets of four 16-byte entries checked by the whole key, the same replacement, the same
// node counts. Usage: connect_four DEPTH MEGABYTES
#include <sys/mman.h>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

using u64 = std::uint64_t;
constexpr int WIDTH = 7, HEIGHT = 6, COLUMN = HEIGHT + 1, CELLS = WIDTH * HEIGHT;
constexpr int LOWER = 1, UPPER = 2, EXACT = 3, FULL = 255, NO_MOVE = 0xFFFF, OFFSET = 1 << 23, WORST = -2;
constexpr u64 bottom_row() {
    u64 row = 0;
    for (int c = 0; c < WIDTH; ++c) row |= u64(1) << (c * COLUMN);
    return row;
}
constexpr u64 BOTTOM = bottom_row(), TOP = BOTTOM << (HEIGHT - 1);

struct State {
    u64 mine, filled;
    std::int8_t plies;
};
struct Entry {
    u64 check, contents;
};

static State stack[CELLS + 2];
static u64 begun[CELLS + 2], estimated[CELLS + 2];
static Entry* table;
static u64 buckets, nodes, leaves, horizon;
static volatile int stop_flag;

static inline bool has_run(u64 discs) {
    for (int step : {1, COLUMN - 1, COLUMN, COLUMN + 1}) {
        u64 pairs = discs & (discs >> step);
        if (pairs & (pairs >> (2 * step))) return true;
    }
    return false;
}

static inline u64 bucket(u64 key) { return ((((key * 0x9E3779B97F4A7C15ull) >> 32) * buckets) >> 32) * 4; }

static void remember(int ply, u64 key, int depth, int value, int alpha, int beta, int move) {
    int kept = horizon == estimated[ply] ? FULL : std::min(depth, FULL - 1);
    int kind = value <= alpha ? UPPER : value >= beta ? LOWER : EXACT;
    int work = 0;
    for (u64 spent = nodes - begun[ply]; spent; spent >>= 1) ++work;
    Entry* entry = table + bucket(key);
    Entry* victim = entry;
    int least = 1 << 30;
    for (int i = 0; i < 4; ++i, ++entry) {
        if (entry->contents == 0 || (entry->check ^ entry->contents) == key) {
            victim = entry;
            break;
        }
        int worth = int(entry->contents >> 10) & 63;
        if ((int(entry->contents >> 3) & 127) == 1) worth += 64;
        if (worth < least) victim = entry, least = worth;
    }
    u64 contents = u64(value + OFFSET) << 40 | u64(move & NO_MOVE) << 24 | u64(kept) << 16 | u64(work) << 10 |
                   u64(1) << 3 | u64(kind) << 1;
    victim->check = key ^ contents;
    victim->contents = contents;
}

static int search(int ply, int depth, int alpha, int beta) {
    ++nodes;
    if (stop_flag) return 0;
    const State& s = stack[ply];
    if (has_run(s.mine ^ s.filled)) return ++leaves, -1;
    if (s.plies == CELLS) return ++leaves, 0;
    if (depth <= 0) return ++leaves, ++horizon, 0;

    begun[ply] = nodes;
    estimated[ply] = horizon;
    u64 key = s.mine + s.filled + BOTTOM;
    int lower = -1, upper = 1, hint = -1;
    const Entry* entry = table + bucket(key);
    for (int i = 0; i < 4; ++i, ++entry)
        if (entry->contents && (entry->check ^ entry->contents) == key) {
            u64 contents = entry->contents;
            int kept = int(contents >> 16) & 255, kind = int(contents >> 1) & 3;
            int value = int(contents >> 40) - OFFSET;
            if (kept >= depth || kept == FULL) {
                if (kept != FULL) ++horizon;
                if (kind & LOWER && value > lower) lower = value;
                if (kind & UPPER && value < upper) upper = value;
            }
            hint = int(contents >> 24) & NO_MOVE;
            if (hint == NO_MOVE) hint = -1;
            break;
        }
    if (lower >= beta) return lower;
    alpha = std::max(alpha, lower);
    if (upper <= alpha) return upper;
    beta = std::min(beta, upper);

    int moves[WIDTH], n = 0;
    for (int c = 0; c < WIDTH; ++c)
        if (!(s.filled & (u64(1) << (c * COLUMN + HEIGHT - 1)))) moves[n++] = c;
    for (int i = 0; i < n; ++i)
        if (moves[i] == hint) {
            for (int j = i; j > 0; --j) moves[j] = moves[j - 1];
            moves[0] = hint;
            break;
        }
    int best = WORST, best_move = -1, bar = alpha;
    for (int i = 0; i < n; ++i) {
        State& next = stack[ply + 1];
        next.mine = s.mine ^ s.filled;
        next.filled = s.filled | (s.filled + (u64(1) << (moves[i] * COLUMN)));
        next.plies = s.plies + 1;
        int value = -search(ply + 1, depth - 1, -beta, -bar);
        if (value > best) {
            best = value, best_move = moves[i];
            if (value >= beta) break;
            bar = std::max(bar, value);
        }
    }
    remember(ply, key, depth, best, alpha, beta, best_move);
    return best;
}

int main(int argc, char** argv) {
    int depth = std::atoi(argv[1]);
    u64 bytes = u64(std::atoi(argv[2])) << 20;
    buckets = bytes / 64;
    void* block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    table = static_cast<Entry*>(block);
    auto start = std::chrono::steady_clock::now();
    int value = search(0, depth, -1, 1);
    std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    std::printf("{\"value\": %d, \"nodes\": %llu, \"leaves\": %llu, \"seconds\": %.6f}\n", value,
                (unsigned long long)nodes, (unsigned long long)leaves, spent.count());
}
