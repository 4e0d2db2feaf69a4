/* Examples for the nets: hands that they play against each other, and what each unfinished board in them is worth.

   That is not read off the hand the board was met in, where most would be chance. From street 4 it is the exact mean over
   what may come, against a few ways in which the opponent's board may end. From earlier streets it is the mean over many
   draws of what the next street's net says of the board that then stands. Which board that is, other nets have chosen: a
   net that chose and judged would think too well of what it is wrong about. */

#ifndef ANANAS_STUDY_H
#define ANANAS_STUDY_H

#include "play.h"

typedef struct {
    uint16_t *features; /* MOST_FEATURES each, filled up with FEATURES */
    float *dense;       /* DENSE each */
    float *parts;       /* PARTS each */
    uint8_t *street;    /* from 1 to 4 */
    int count, room;
    int wanted;         /* which streets, as bits: 1 for the first */
} Examples;

static Choice random_street(Seat *seat, int street, const uint8_t *dealt, Chance *chance) {
    Choice choices[MOST_PLACEMENTS];
    for (int i = 0; i < DEALT[street]; i++) seat->unseen &= ~(1ull << dealt[i]);
    int count = list_choices(seat->rows, DEALT[street], LAID[street], choices);
    Choice chosen = choices[below(chance, (uint32_t)count)];
    lay_choice(seat->rows, dealt, chosen);
    return chosen;
}

/* How an opponent's board may end that its rival sees so far: the nets play it on, with cards the rival has not seen. */
static void end_of_other(const Nets *nets, const Worth *usual, const Wishes *wishes, int kind, const Row *seen, int lag,
                         const Seat *own, Chance *chance, Other *other) {
    uint8_t cards[52];
    int count = cards_of(own->unseen, cards);
    Row rows[3];
    if (kind == IN_FANTASYLAND) {
        int dealt = 13 + (int)below(chance, 5);
        draw(chance, cards, count, dealt);
        for (int i = 1; i < dealt; i++)
            for (int j = i; j > 0 && cards[j] < cards[j - 1]; j--) {
                uint8_t swap = cards[j];
                cards[j] = cards[j - 1], cards[j - 1] = swap;
            }
        Layout layout = lay_fantasyland(wishes, cards, dealt);
        empty_rows(rows);
        for (int row = 0; row < 3; row++)
            for (uint32_t set = layout.taken[row]; set; set &= set - 1) add_card(&rows[row], cards[__builtin_ctz(set)]);
    } else {
        Seat his;
        int at = 0;
        if (seen) memcpy(his.rows, seen, sizeof his.rows);
        else empty_rows(his.rows);
        his.unseen = own->unseen;
        draw(chance, cards, count, lag ? 3 * (STREETS - lag) : 17);
        for (int street = lag; street < STREETS; at += DEALT[street], street++) {
            if (street < 4 && !nets->street[street]) random_street(&his, street, cards + at, chance);
            else play_street(nets, usual, &his, street, cards + at, SEEN, own->rows, 0, chance);
        }
        memcpy(rows, his.rows, sizeof rows);
    }
    for (int row = 0; row < 3; row++) other->made[row] = strength_of_row(&rows[row]);
    other->foul = (float)!in_order(usual, other->made[0], other->made[1], other->made[2]);
    other->win = other->lose = NULL;
}

/* What a board after `street` is worth by the next cards it may get: some choose what is then laid, others judge it. */
static void next_street(const Nets *choosers, const Nets *judges, const Worth *worth, const Seat *own, int street, int kind,
                        const Row *other, int draws, Chance *chance, float *parts) {
    uint8_t cards[52];
    int count = cards_of(own->unseen, cards);
    const Net *judge = judges->street[street + 1];
    const Net *chooser = choosers->street[street + 1] ? choosers->street[street + 1] : judge;
    for (int i = 0; i < draws; i++) {
        Choice choices[MOST_PLACEMENTS];
        float told[MOST_TOLD][TOLD];
        Setting setting;
        draw(chance, cards, count, 3);
        uint64_t unseen = own->unseen & ~(1ull << cards[0] | 1ull << cards[1] | 1ull << cards[2]);
        int found = list_choices(own->rows, 3, 2, choices);
        prepare(chooser, worth, unseen, kind, other, &setting);
        judge_choices(chooser, worth, &setting, own->rows, cards, choices, found, told);
        int best = best_of(told, found);
        if (chooser != judge) {
            prepare(judge, worth, unseen, kind, other, &setting);
            judge_choices(judge, worth, &setting, own->rows, cards, choices + best, 1, told);
            best = 0;
        }
        for (int part = 0; part < PARTS; part++) parts[part] += told[best][1 + part] / (float)draws;
    }
}

static void random_worth(Worth *worth, Chance *chance) {
    static const float MORE[ENTRIES] = {0, 5, 9, 13};
    uint32_t kind = below(chance, 10);
    float first = kind < 6 ? 6 + (float)below(chance, 100) / 10 : kind < 9 ? 5 + (float)below(chance, 200) / 10 : 0;
    float steps = kind > 3 && kind < 8 ? 1 : 0;
    worth->fantasyland[0] = 0;
    for (int entry = 0; entry < ENTRIES; entry++) worth->fantasyland[entry + 1] = first + steps * MORE[entry];
}

static void study_hand(const Nets *nets, const Nets *judges, Worth worth, const Wishes *wishes, int draws, Chance *chance,
                       Examples *examples) {
    static const float HEATS[4] = {0, 0.3f, 1, 3};
    uint8_t deck[52];
    for (int i = 0; i < 52; i++) deck[i] = (uint8_t)i;
    random_worth(&worth, chance);
    uint32_t company = below(chance, 20);
    int alone = company < 7, in_fantasyland = company >= 18, players = alone || in_fantasyland ? 1 : 2;
    float heat = HEATS[below(chance, 4)];
    int wild = below(chance, 10) == 0; /* a first street laid by lot */
    draw(chance, deck, 52, 52);
    worth.others = !alone;
    Seat now[2], after[2][STREETS];
    uint64_t shown[2][STREETS + 1] = {{0}}; /* what lies open of each after so many streets */
    for (int seat = 0; seat < 2; seat++) empty_rows(now[seat].rows), now[seat].unseen = (1ull << 52) - 1;
    for (int street = 0; street < STREETS; street++)
        for (int seat = 0; seat < players; seat++) {
            const uint8_t *dealt = deck + 17 * seat + (street ? 2 + 3 * street : 0);
            int kind = alone ? NOBODY : in_fantasyland ? IN_FANTASYLAND : street + seat ? SEEN : UNSEEN;
            Choice chosen = street < 4 && (!nets->street[street] || (street == 0 && wild))
                                ? random_street(&now[seat], street, dealt, chance)
                                : play_street(nets, &worth, &now[seat], street, dealt, kind, now[1 - seat].rows, heat, chance);
            shown[seat][street + 1] = shown[seat][street];
            for (int set = chosen.row[0] | chosen.row[1] | chosen.row[2]; set; set &= set - 1)
                shown[seat][street + 1] |= 1ull << dealt[__builtin_ctz((unsigned)set)];
            after[seat][street] = now[seat];
            if (players == 2) now[1 - seat].unseen &= ~shown[seat][street + 1];
        }
    for (int seat = 0; seat < players; seat++) {
        for (int street = 0; street < STREETS - 1 && examples->count < examples->room; street++) {
            if (!(examples->wanted >> street & 1)) continue;
            Seat own = after[seat][street];
            Row *seen = NULL;
            int kind = alone ? NOBODY : in_fantasyland ? IN_FANTASYLAND : SEEN;
            uint64_t others_cards = 0;
            int lag = 0;
            if (players == 2) {
                int truly = street + seat;
                lag = below(chance, 10) < 7 ? truly : (int)below(chance, (uint32_t)truly + 1);
                others_cards = shown[1 - seat][lag];
                if (lag == 0) kind = UNSEEN;
                else seen = after[1 - seat][lag - 1].rows;
            }
            own.unseen = (1ull << 52) - 1;
            for (int i = 0; i < 5 + 3 * street; i++) own.unseen &= ~(1ull << deck[17 * seat + i]);
            own.unseen &= ~others_cards;
            /* At times a third player's cards lie open too. */
            if (below(chance, 4) == 0)
                for (int i = 0; i < 3 + 2 * street && i < 18; i++) {
                    uint8_t card = deck[34 + i];
                    own.unseen &= ~(1ull << card);
                }
            int at = examples->count++;
            uint16_t *features = examples->features + (size_t)at * MOST_FEATURES;
            float *parts = examples->parts + (size_t)at * PARTS;
            Live live = live_cards(own.unseen);
            Making making[3];
            int n = shared_features(&live, kind, seen, features);
            for (int row = 0; row < 3; row++) {
                n += row_features(&own.rows[row], row, 0, &live, features + n);
                making[row] = making_of(&own.rows[row]);
            }
            order_features((const Making *const[3]){&making[0], &making[1], &making[2]}, features + n);
            n += 4;
            for (; n < MOST_FEATURES; n++) features[n] = FEATURES;
            dense_inputs(&worth, examples->dense + (size_t)at * DENSE);
            examples->street[at] = (uint8_t)(street + 1);
            memset(parts, 0, PARTS * sizeof *parts);
            if (street < 3) {
                next_street(nets, judges, &worth, &own, street, kind, seen, draws, chance, parts);
                continue;
            }
            Worth against = worth;
            against.others = alone ? 0 : OTHERS;
            for (int i = 0; i < against.others; i++)
                end_of_other(nets, &worth, wishes, kind, seen, lag, &own, chance, &against.other[i]);
            uint8_t cards[52];
            int count = cards_of(own.unseen, cards);
            mean_of_draws(&against, own.rows, cards, count, parts);
        }
    }
}

#endif
