"""The clauses of Have You Herd? in a sentence or two each, for `herdlab rules herd`."""

CLAUSES: tuple[tuple[str, str], ...] = (
    (
        "H1",
        "Tiles: what is taken comes from the supply, what is lost or traded away returns to "
        "it. Who multiplies gets what is left; a trade needs the tile to be there.",
    ),
    (
        "H2",
        "Players: 2 to 4. Alone (for analysis) a skunk goes to nobody and a T only bars the "
        "final trade.",
    ),
    ("H3", "Start: one rabbit each, in a first game a sheep too. Seat 0 begins, play goes left."),
    (
        "H4",
        "Win: the moment a player owns a rabbit, a sheep, a pig, a cow and a horse. If one "
        "change completes two herds, the player whose turn it is wins.",
    ),
    ("H5", "Turn: trade at most once, roll both dice, trade at most once."),
    ("H6", "Dice: two different twelve-sided dice, the wolf die and the fox die."),
    (
        "H7",
        "Multiply: (tiles owned + symbols rolled) // 2 new tiles of each herd animal on the "
        "dice, within the limits of 12 rabbits, 1 horse and 1 dog.",
    ),
    ("H8", "Doubles: two equal herd animals multiply, then the dice are rolled again."),
    ("H9", "Two specials: two of fox, wolf, skunk and dog cancel one another and nothing happens."),
    ("H10", "Dog: a free dog for a player who has none; the other die multiplies."),
    ("H11", "Fox: nothing multiplies. Without a dog all rabbits but one are lost; a dog stays."),
    (
        "H12",
        "Wolf: nothing multiplies. A dog is lost, nothing else; without one the dice are "
        "rolled again and one of each herd animal shown is lost, never the last rabbit.",
    ),
    (
        "H13",
        "T: the other die multiplies; the final trade may be made only with another player, "
        "who cannot refuse. Rabbits that would take the partner over the limit go to the supply.",
    ),
    ("H14", "Skunk: the roller gives it to an opponent, who loses the next turn and returns it."),
    (
        "H15",
        "Trades: 5 rabbits for a sheep, 2 sheep for a pig, 2 pigs for a cow, 2 cows for a "
        "horse, a rabbit and a sheep for a dog. Upwards only, one tile gained a trade.",
    ),
    ("H16", "Long games: turns are counted over all players; after max_turns nobody wins."),
)
