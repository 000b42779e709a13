/// Makes a wrong answer end the run: the speed of one is no figure.
func expect(_ wanted: Int, _ found: Int) throws {
  guard wanted == found else { throw WrongAnswer(wanted: wanted, found: found) }
}

struct WrongAnswer: Error {
  let wanted: Int
  let found: Int
}
