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

static Live live_cards(uint64_t unseen) {
    Live live = {{0}, {0}};
    for (uint64_t set = unseen; set; set &= set - 1) {
        int card = __builtin_ctzll(set);
        live.rank_live[card % 13]++;
        live.suit_live[card / 13]++;
    }
    return live;
}

/* What a row makes by now, for comparing: category, then the ranks held more often. */
typedef struct {
    uint8_t class;
    uint16_t order;
} Making;

static Making making_of(const Row *row) {
    int category = 0, first = 0, second = 0;
    uint32_t code = row->code;
    if (row->cards == row->size) {
        int strength = row->size == 3 ? strength_of_three(code) : strength_of_five(code);
        Making full = {tables.made[strength], (uint16_t)(tables.made[strength] * 169)};
        if (row->size == 5 && tables.made[strength] >= 51) return full;
    }
    for (int rank = 12; rank >= 0; rank--) {
        int count = row->count[rank];
        if (count < 2) continue;
        int kind = count == 2 ? 1 : count == 3 ? 3 : 5;
        if (kind == 1 && category == 1) category = 2, second = rank;
        else if (kind == 1 && category == 3) category = 4;
        else if (kind > category) {
            if (category == 1 && kind == 3) category = 4;
            else category = kind;
            first = rank;
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
    Making making = {(uint8_t)class, (uint16_t)(class * 169 + second * 13 + (category == 1 || category == 3 ? highest : 0))};
    return making;
}

static const uint16_t WINDOWS[10] = {0x100F, 0x1F, 0x3E, 0x7C, 0xF8, 0x1F0, 0x3E0, 0x7C0, 0xF80, 0x1F00};

/* The features of one row, `place` 0 on top to 2 at the bottom. */
static int row_features(const Row *row, int place, const Live *live, uint16_t *out) {
    int n = 0, free = row->size - row->cards;
    for (uint16_t ranks = row->ranks; ranks; ranks &= (uint16_t)(ranks - 1)) {
        int rank = __builtin_ctz(ranks), count = row->count[rank];
        out[n++] = (uint16_t)(F_COUNT + (place * 13 + rank) * 4 + count - 1);
        int to_come = live->rank_live[rank] > 3 ? 3 : live->rank_live[rank];
        if (!free || count > 3) continue;
        if (place > 0) out[n++] = (uint16_t)(F_OUTS + ((place - 1) * 3 + count - 1) * 4 + to_come);
        else if (count < 3) out[n++] = (uint16_t)(F_OUTS_TOP + (rank * 2 + count - 1) * 4 + to_come);
    }
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
static int order_features(const Row *const rows[3], const Making making[3], uint16_t out[4]) {
    int n = 0;
    for (int pair = 0; pair < 2; pair++) {
        const Making *above = &making[pair], *under = &making[pair + 1];
        out[n++] = (uint16_t)(F_PAIR + (pair * COARSE + tables.coarse[above->class]) * COARSE + tables.coarse[under->class]);
        int order = above->order > under->order ? 2 : above->order == under->order;
        int full = (rows[pair]->cards == rows[pair]->size) * 2 + (rows[pair + 1]->cards == rows[pair + 1]->size);
        out[n++] = (uint16_t)(F_ORDER + pair * 12 + order * 4 + full);
    }
    return n;
}

enum { NOBODY, UNSEEN, IN_FANTASYLAND, SEEN };

/* The features that all placements of a decision share. */
static int shared_features(const Live *live, int kind, const Row *other, uint16_t *out) {
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

VECTORS
static void sum_features(const Net *net, const uint16_t *features, int count, float *restrict sum) {
    for (int f = 0; f < count; f++) {
        const float *restrict row = net->wide[features[f]];
        for (int i = 0; i < WIDE; i++) sum[i] += row[i];
    }
}

typedef float Eight __attribute__((vector_size(32), aligned(4), may_alias));

/* The second layer, from the sums of the first. */
VECTORS
static void narrow_layer(const Net *net, const float *restrict base, const float *restrict top, const float *restrict middle,
                         const float *restrict bottom, const uint16_t order[4], float *restrict out) {
    float wide[WIDE], narrow[NARROW];
    const float *restrict a = net->wide[order[0]], *restrict b = net->wide[order[1]];
    const float *restrict c = net->wide[order[2]], *restrict d = net->wide[order[3]];
    for (int i = 0; i < WIDE; i++) {
        float sum = base[i] + top[i] + middle[i] + bottom[i] + a[i] + b[i] + c[i] + d[i];
        wide[i] = sum > 0 ? sum : 0;
    }
    /* Eight sums stay in the processor's registers all the while; two by two, since one sum would wait for itself. */
    const Eight *start = (const Eight *)net->narrow_bias;
    Eight s = start[0], t = start[1], u = start[2], v = start[3];
    Eight s2 = {0}, t2 = {0}, u2 = {0}, v2 = {0};
    for (int i = 0; i < WIDE; i += 2) {
        const Eight *even = (const Eight *)net->narrow[i], *odd = (const Eight *)net->narrow[i + 1];
        float x = wide[i], y = wide[i + 1];
        s += x * even[0], t += x * even[1], u += x * even[2], v += x * even[3];
        s2 += y * odd[0], t2 += y * odd[1], u2 += y * odd[2], v2 += y * odd[3];
    }
    Eight *kept = (Eight *)narrow;
    kept[0] = s + s2, kept[1] = t + t2, kept[2] = u + u2, kept[3] = v + v2;
    for (int j = 0; j < NARROW; j++) out[j] = narrow[j] > 0 ? narrow[j] : 0;
}

VECTORS
static void all_parts(const Net *net, const float *narrow, float parts[PARTS]) {
    float sum[PARTS];
    for (int part = 0; part < PARTS; part++) sum[part] = net->parts_bias[part];
    for (int j = 0; j < NARROW; j++)
        for (int part = 0; part < PARTS; part++) sum[part] += narrow[j] * net->parts[j][part];
    for (int part = 0; part < PARTS; part++) parts[part] = sum[part];
}

/* How the parts add up to points. */
static void part_prices(const Worth *worth, float price[PARTS]) {
    price[ROYALTIES] = 1;
    price[FOUL] = -worth->foul_points;
    for (int entry = 1; entry <= ENTRIES; entry++) price[QUEENS + entry - 1] = worth->fantasyland[entry];
    price[LINES] = worth->others > 0;
}

#endif
