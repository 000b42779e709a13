import Foundation

/// The programs of a store's life (`LifeTests`): `atrest-life-worker do ORDER` carries out one order,
/// and `atrest-life-worker serve` one per line of standard input.
///
/// An order is a JSON object with texts, and has the field `verb`. The answer is a line of JSON. After
/// `do`, the exit code is the one that `atrest` would have.
@main enum Main {
  static func main() {
    let arguments = CommandLine.arguments
    let session = Session()
    if arguments.count == 3, arguments[1] == "do" {
      let answer = session.answer(arguments[2])
      answer.say()
      exit(answer.status)
    }
    while let line = readLine() { session.answer(line).say() }
  }
}
