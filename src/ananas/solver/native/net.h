/* What an unfinished board is worth: features that are there or not, and a small net over them.

   The features of a board are those of its three rows, each by itself, of neighbouring rows together, and of what all
   placements of one street share: the cards not seen, the opponent's board, the worth of Fantasyland. The first layer is
   a sum over features, so what a row adds to it is worked out once for all placements that make the same row. The
   numbering of features is told to nobody but the nets trained on it: to change it is to train anew. */

#ifndef ANANAS_NET_H
#define ANANAS_NET_H

#include "worth.h"

#define WIDE 64   /* the first layer */
#define NARROW 32 /* the second */
#define DENSE 5   /* inputs that are numbers: the worth of Fantasyland for each entry, and whether lines count */
#define MOST_FEATURES 96
#define MOST_SUM 4 /* the most that a sum of the first layer counts as */

/* Where each kind of feature begins. */
enum {
    F_LIVE = 0,                           /* rank x how many of it were not seen */
    F_OTHER = F_LIVE + 13 * 5,            /* the opponent: nobody, unseen, in Fantasyland, seen */
    F_OTHER_ROW = F_OTHER + 4,            /* row x what it makes, */
    F_OTHER_FREE = F_OTHER_ROW + 3 * MADE, /* row x free places, */
    F_OTHER_SUITED = F_OTHER_FREE + 18,   /* row x cards of one suit, three or more */
    F_COUNT = F_OTHER_SUITED + 9,         /* own: row x rank x how many of it */
    F_FREE = F_COUNT + 3 * 13 * 4,        /* row x free places */
    F_OUTS_TOP = F_FREE + 18,             /* on top: rank x one or two of it x how many to come */
    F_OUTS = F_OUTS_TOP + 13 * 2 * 4,     /* below: row x one to three of a rank x how many to come, for each such rank */
    F_SUITED = F_OUTS + 2 * 3 * 4,        /* row x cards of one suit x how many to come */
    F_UNSUITED = F_SUITED + 2 * 4 * 10,
    F_RUN = F_UNSUITED + 2,               /* row x places free in a straight to come x ways to fill it */
    F_NO_RUN = F_RUN + 2 * 5 * 9,
    F_MADE = F_NO_RUN + 2,                /* row x what the full row makes */
    F_PAIR = F_MADE + 3 * MADE,           /* two neighbouring rows x what they make */
    F_ORDER = F_PAIR + 2 * COARSE * COARSE, /* two neighbouring rows x their order by now x which of them are full */
    FEATURES = F_ORDER + 2 * 12
};

/* The weights of one street's net, in the order in which they are kept. */
typedef struct {
    float wide[FEATURES][WIDE];
    float dense[DENSE][WIDE];
    float wide_bias[WIDE];
    float narrow[WIDE][NARROW];
    float narrow_bias[NARROW];
    float parts[NARROW][PARTS];
    float parts_bias[PARTS];
} Net;

/* What all placements of a decision share. */
typedef struct {
    uint8_t rank_live[13], suit_live[4];
} Live;

INLINE Live live_cards(uint64_t unseen) {
    const uint64_t twos = 1ull | 1ull << 13 | 1ull << 26 | 1ull << 39;
    Live live;
    for (int rank = 0; rank < 13; rank++) live.rank_live[rank] = (uint8_t)__builtin_popcountll(unseen & twos << rank);
    for (int suit = 0; suit < 4; suit++) live.suit_live[suit] = (uint8_t)__builtin_popcountll(unseen >> 13 * suit & 0x1FFF);
    return live;
}

/* What a row makes by now, for comparing: category, then the ranks held more often. */
typedef struct {
    uint8_t class, coarse, full;
    uint16_t order;
} Making;

INLINE Making class_of(const Row *row) {
    int category = 0, first = 0, second = 0;
    uint32_t code = row->code;
    if (row->cards == row->size) {
        int strength = row->size == 3 ? strength_of_three(code) : strength_of_five(code);
        Making full = {tables.made[strength], 0, 0, (uint16_t)(tables.made[strength] * 169)};
        if (row->size == 5 && tables.made[strength] >= 51) return full;
    }
    for (unsigned ranks = row->ranks, rank; ranks; ranks &= ~(1u << rank)) {
        rank = 31 - (unsigned)__builtin_clz(ranks);
        int count = row->count[rank];
        if (count < 2) continue;
        int kind = count == 2 ? 1 : count == 3 ? 3 : 5;
        if (kind == 1 && category == 1) category = 2, second = (int)rank;
        else if (kind == 1 && category == 3) category = 4;
        else if (kind > category) {
            if (category == 1 && kind == 3) category = 4;
            else category = kind;
            first = (int)rank;
        }
    }
    int highest = row->ranks ? 31 - __builtin_clz(row->ranks) : 0;
    int class;
    switch (category) {
        case 0: class = highest; break;
        case 1: class = 13 + first; break;
        case 2: class = 26 + first - 1; break;
        case 3: class = 38 + first; break;
        case 4: class = first < 8 ? 54 : 55; break;
        default: class = 56; break;
    }
    if (category == 0) first = highest;
    Making making = {(uint8_t)class, 0, 0, (uint16_t)(class * 169 + second * 13 + (category == 1 || category == 3 ? highest : 0))};
    return making;
}

INLINE Making making_of(const Row *row) {
    Making making = class_of(row);
    making.coarse = tables.coarse[making.class];
    making.full = row->cards == row->size;
    return making;
}

static const uint16_t WINDOWS[10] = {0x100F, 0x1F, 0x3E, 0x7C, 0xF8, 0x1F0, 0x3E0, 0x7C0, 0xF80, 0x1F00};

/* The features of some ranks of a row, `place` 0 on top to 2 at the bottom: of a full one, or of one that is not. */
INLINE int rank_features(const Row *row, int place, int free, unsigned ranks, const Live *live, uint16_t *out) {
    int n = 0;
    for (; ranks; ranks &= ranks - 1) {
        int rank = __builtin_ctz(ranks), count = row->count[rank];
        out[n++] = (uint16_t)(F_COUNT + (place * 13 + rank) * 4 + count - 1);
        int to_come = live->rank_live[rank] > 3 ? 3 : live->rank_live[rank];
        if (!free || count > 3) continue;
        if (place > 0) out[n++] = (uint16_t)(F_OUTS + ((place - 1) * 3 + count - 1) * 4 + to_come);
        else if (count < 3) out[n++] = (uint16_t)(F_OUTS_TOP + (rank * 2 + count - 1) * 4 + to_come);
    }
    return n;
}

/* The features of one row, but for the ranks that are left out. */
INLINE int row_features(const Row *row, int place, unsigned without, const Live *live, uint16_t *out) {
    int free = row->size - row->cards;
    int n = rank_features(row, place, free, row->ranks & ~without, live, out);
    out[n++] = (uint16_t)(F_FREE + place * 6 + free);
    if (!free) {
        out[n++] = (uint16_t)(F_MADE + place * MADE + making_of(row).class);
        return n;
    }
    if (place == 0 || row->cards == 0) return n;
    if (row->suits & (row->suits - 1)) {
        out[n++] = (uint16_t)(F_UNSUITED + place - 1);
    } else {
        int outs = live->suit_live[__builtin_ctz(row->suits)];
        out[n++] = (uint16_t)(F_SUITED + ((place - 1) * 4 + row->cards - 1) * 10 + (outs > 9 ? 9 : outs));
    }
    int ways = 0;
    if (__builtin_popcount(row->ranks) == row->cards)
        for (int window = 0; window < 10; window++) {
            if (row->ranks & ~WINDOWS[window]) continue;
            int product = 1;
            for (uint16_t missing = WINDOWS[window] & (uint16_t)~row->ranks; missing; missing &= (uint16_t)(missing - 1))
                product *= live->rank_live[__builtin_ctz(missing)];
            ways += free > 2 ? product > 0 : product;
        }
    if (!ways) {
        out[n++] = (uint16_t)(F_NO_RUN + place - 1);
    } else {
        /* One place free: the cards themselves; two: by the doubling; more: the windows left open. */
        int step = free == 1 ? ways : free == 2 ? 32 - __builtin_clz((unsigned)ways) : ways;
        out[n++] = (uint16_t)(F_RUN + ((place - 1) * 5 + free - 1) * 9 + (step > 8 ? 8 : step));
    }
    return n;
}

/* The features of the rows together. */
INLINE void order_features(const Making *const making[3], uint16_t out[4]) {
    for (int pair = 0; pair < 2; pair++) {
        const Making *above = making[pair], *under = making[pair + 1];
        int order = above->order > under->order ? 2 : above->order == under->order;
        out[2 * pair] = (uint16_t)(F_PAIR + (pair * COARSE + above->coarse) * COARSE + under->coarse);
        out[2 * pair + 1] = (uint16_t)(F_ORDER + pair * 12 + order * 4 + above->full * 2 + under->full);
    }
}

enum { NOBODY, UNSEEN, IN_FANTASYLAND, SEEN };

/* The features that all placements of a decision share. */
INLINE int shared_features(const Live *live, int kind, const Row *other, uint16_t *out) {
    int n = 0;
    for (int rank = 0; rank < 13; rank++) out[n++] = (uint16_t)(F_LIVE + rank * 5 + live->rank_live[rank]);
    out[n++] = (uint16_t)(F_OTHER + kind);
    for (int place = 0; kind == SEEN && place < 3; place++) {
        const Row *row = &other[place];
        out[n++] = (uint16_t)(F_OTHER_ROW + place * MADE + making_of(row).class);
        out[n++] = (uint16_t)(F_OTHER_FREE + place * 6 + row->size - row->cards);
        if (row->cards >= 3 && !(row->suits & (row->suits - 1)))
            out[n++] = (uint16_t)(F_OTHER_SUITED + place * 3 + (row->cards > 5 ? 5 : row->cards) - 3);
    }
    return n;
}

/* What eight sums of the first layer count: their squares, so that two features can be worth something together that
   neither is alone. Below nothing they are nothing, and above MOST_SUM, where no net was taught much, they grow no more.
   By masks, since the compiler would make jumps of the bounds. */
INLINE void bend(Eight *sums) {
    const Eight nothing = {0}, most = nothing + MOST_SUM;
    Bits above = *sums > nothing, below = *sums < most;
    Eight kept = (Eight)((Bits)*sums & above & below) + (Eight)((Bits)most & ~below);
    *sums = kept * kept;
}

/* Add features to a sum of the first layer, which stays in the processor's registers all the while. */
INLINE void sum_features(const Net *net, const uint16_t *features, int count, const float *start, float *sum) {
    Eight sums[WIDE / 8];
    for (int i = 0; i < WIDE / 8; i++) sums[i] = ((const Eight *)start)[i];
    for (int f = 0; f < count; f++) {
        const Eight *row = (const Eight *)net->wide[features[f]];
        for (int i = 0; i < WIDE / 8; i++) sums[i] += row[i];
    }
    for (int i = 0; i < WIDE / 8; i++) ((Eight *)sum)[i] = sums[i];
}

#define TOLD (1 + PARTS) /* points, and the parts they are made of */

/* The last layer, each row of it filled up to a vector, and how the parts add up to points. */
typedef struct {
    float parts[NARROW][8], price[PARTS];
} Upper;

/* From the first layer to the points and the parts, for two placements at a time. Eight sums stay in the processor's
   registers, and so that each weight is fetched once for both, the compiler is told that it might change. */
VECTORS __attribute__((noinline))
static void upper_layers(const Net *net, const Upper *upper, float wide[2][WIDE], float told[2][TOLD]) {
    float narrow[2 * NARROW] __attribute__((aligned(32))), parts[2][8] __attribute__((aligned(32)));
    const Eight *start = (const Eight *)net->narrow_bias;
    Eight s = start[0], t = start[1], u = start[2], v = start[3], s2 = s, t2 = t, u2 = u, v2 = v;
    for (int i = 0; i < WIDE; i++) {
        const volatile Eight *row = (const volatile Eight *)net->narrow[i];
        float x = wide[0][i], y = wide[1][i];
        Eight a = row[0], b = row[1], c = row[2], d = row[3];
        s += x * a, t += x * b, u += x * c, v += x * d;
        s2 += y * a, t2 += y * b, u2 += y * c, v2 += y * d;
    }
    Eight *kept = (Eight *)narrow;
    kept[0] = s, kept[1] = t, kept[2] = u, kept[3] = v, kept[4] = s2, kept[5] = t2, kept[6] = u2, kept[7] = v2;
#pragma GCC unroll 1
    for (int j = 0; j < 2 * NARROW; j++) narrow[j] = narrow[j] > 0 ? narrow[j] : 0;
    Eight sum = {0}, sum2 = {0}, odd = {0}, odd2 = {0};
    for (int j = 0; j < NARROW; j += 2) {
        const Eight *row = (const Eight *)upper->parts[j];
        sum += narrow[j] * row[0], sum2 += narrow[NARROW + j] * row[0];
        odd += narrow[j + 1] * row[1], odd2 += narrow[NARROW + j + 1] * row[1];
    }
    *(Eight *)parts[0] = sum + odd, *(Eight *)parts[1] = sum2 + odd2;
    for (int k = 0; k < 2; k++) {
        told[k][0] = 0;
        for (int part = 0; part < PARTS; part++) {
            told[k][1 + part] = parts[k][part] + net->parts_bias[part];
            told[k][0] += upper->price[part] * told[k][1 + part];
        }
    }
}

/* How the parts add up to points. */
static void part_prices(const Worth *worth, float price[PARTS]) {
    price[ROYALTIES] = 1;
    price[FOUL] = -worth->foul_points;
    for (int entry = 1; entry <= ENTRIES; entry++) price[QUEENS + entry - 1] = worth->fantasyland[entry];
    price[LINES] = worth->others > 0;
}

static void upper_of(const Net *net, const Worth *worth, Upper *upper) {
    for (int j = 0; j < NARROW; j++) memcpy(upper->parts[j], net->parts[j], sizeof net->parts[j]), upper->parts[j][PARTS] = 0;
    part_prices(worth, upper->price);
}

#endif
