"""From games to findings, in Python: run it with ``python examples/findings.py``.

Everything that the commands find out is there as a function that returns figures with their
intervals, and tables for pandas.
"""

import herdlab


def main(deals: int = 20_000) -> None:
    """Answer a few questions about Have You Herd?."""
    print("Is buying the Guard Dog better than never buying it, with two keepers at the table?")
    dog = herdlab.compare("herd", "keeper-dog", "keeper", field="keeper,keeper", games=deals)
    print(f"  {dog.verdict}.")
    print(f"  The same deals for both was worth {dog.variance_ratio:.1f} times as many games.")

    print("Does that stand under every reading of the unclear clauses?")
    standing = herdlab.readings("herd", "keeper-dog", "keeper", field="keeper,keeper", games=deals)
    print(f"  It {standing.sentence}.")

    print("How many sheep should a herder keep when he trades for a pig?")
    sheep = herdlab.sweep(
        "herd", "herder", ["keep_sheep=0:4:1"], field="keeper,keeper", games=deals
    )
    print(sheep.frame()[["keep_sheep", "value", "low", "high", "in_best_region"]].to_string())

    print("Who is best at tables of three, and what should one play?")
    cup = herdlab.tournament("herd", "keeper,closer,keeper-dog,climber", 3, games=deals // 4)
    print(cup.frame()[["strategy", "value", "low", "high", "rating"]].to_string())
    print(f"  {cup.standings.leader}.")
    print(f"  {cup.standings.equilibrium}.")

    print("Is it luck?")
    print(f"  {herdlab.luck('herd', 'keeper,keeper-dog,random', games=deals // 4).sentence}.")


if __name__ == "__main__":
    main()
