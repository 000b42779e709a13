/// Ends the run on a wrong answer, because the speed of a wrong answer is meaningless.
func expect(_ wanted: Int, _ found: Int) throws {
  guard wanted == found else { throw WrongAnswer(wanted: wanted, found: found) }
}

struct WrongAnswer: Error {
  let wanted: Int
  let found: Int
}
