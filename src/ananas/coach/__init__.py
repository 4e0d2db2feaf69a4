"""What a hand could have been: each decision beside the best one, what it cost, and why.

What belongs here: verdicts, and what is said of them. What does not: judging placements (solver), who may ask (server).
"""
