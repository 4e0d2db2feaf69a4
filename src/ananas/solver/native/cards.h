/* Cards, rows and what they make.

   A card is a number from 0 to 51: its suit times thirteen plus its rank, as ananas.game.cards.DECK has them. Three or
   five cards are worth a strength from 0 to 7916, one scale for both (ananas.game.strength). The tables come from
   Python (solver/tables.py): each rank has a key, and keys add up to a different sum for every hand of three or of five. */

#ifndef ANANAS_CARDS_H
#define ANANAS_CARDS_H

#include <stdint.h>
#include <string.h>

/* The compiler makes these loops twice, once for processors with wide vectors; the loader chooses. */
#if defined(__x86_64__) && defined(__linux__) && !defined(__clang__)
#define VECTORS __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define VECTORS
#endif

/* What is to become part of the function that calls it, twice as that may be made. */
#define INLINE static inline __attribute__((always_inline))

typedef float Eight __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t Bits __attribute__((vector_size(32), aligned(4), may_alias));

#define STRENGTHS 7917
#define FIVES 393216  /* places of the table of five cards; sums of keys stay below */
#define THREES 262144 /* of three cards */
#define FLUSHES 196608 /* of five cards of one suit */
#define MADE 58       /* classes of what a row makes, see tables.py */
#define COARSE 20     /* and a few, coarser ones */

typedef struct {
    uint32_t code[52];       /* the rank's key, and three bits above it for the count of each suit */
    int16_t five[FIVES];     /* strength by the sum of keys */
    int16_t three[THREES];
    int16_t flush[FLUSHES];
    uint8_t made[STRENGTHS + 3];
    uint8_t coarse[MADE];
} Tables;

static Tables tables;

#define KEY_BITS 19
#define KEY_MASK ((1u << KEY_BITS) - 1)
/* A suit counted five times shows as 101 in its three bits. */
#define FIVE_OF_A_SUIT (0x249u << KEY_BITS)

static inline int strength_of_five(uint32_t code) {
    uint32_t key = code & KEY_MASK;
    return code & code >> 2 & FIVE_OF_A_SUIT ? tables.flush[key] : tables.five[key];
}

static inline int strength_of_three(uint32_t code) { return tables.three[code & KEY_MASK]; }

/* Chance that repeats: the same seed gives the same numbers anywhere. It decides only what is thought about. */
typedef struct {
    uint64_t state;
} Chance;

static inline uint64_t next_number(Chance *chance) {
    uint64_t z = chance->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline uint32_t below(Chance *chance, uint32_t limit) {
    return (uint32_t)(((next_number(chance) >> 32) * limit) >> 32);
}

/* Bring `wanted` cards drawn by lot to the front. */
static inline void draw(Chance *chance, uint8_t *cards, int count, int wanted) {
    for (int i = 0; i < wanted; i++) {
        int j = i + (int)below(chance, (uint32_t)(count - i));
        uint8_t card = cards[i];
        cards[i] = cards[j];
        cards[j] = card;
    }
}

static inline int cards_of(uint64_t set, uint8_t *cards) {
    int count = 0;
    for (; set; set &= set - 1) cards[count++] = (uint8_t)__builtin_ctzll(set);
    return count;
}

/* A row, full or not. */
typedef struct {
    uint32_t code;
    uint8_t cards, size;
    uint8_t suits;      /* which suits are in it, as bits */
    uint8_t count[13];  /* of each rank */
    uint16_t ranks;     /* which ranks are in it, as bits */
} Row;

static const int ROW_SIZE[3] = {3, 5, 5};

static inline void add_card(Row *row, int card) {
    int rank = card % 13;
    row->code += tables.code[card];
    row->cards++;
    row->suits |= (uint8_t)(1 << (card / 13));
    row->count[rank]++;
    row->ranks |= (uint16_t)(1 << rank);
}

static inline int strength_of_row(const Row *row) {
    return row->size == 3 ? strength_of_three(row->code) : strength_of_five(row->code);
}

#endif
