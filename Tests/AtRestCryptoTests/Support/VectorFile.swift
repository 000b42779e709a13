import Foundation

/// A file of test vectors in the form that `Vectors/README.md` describes.
struct VectorFile {
  enum Outcome: Character {
    case valid = "v"
    case acceptable = "a"
    case invalid = "i"
  }

  struct Case {
    let number: Int
    let outcome: Outcome
    /// The key above the case. Empty if the algorithm has the key among the fields.
    let key: Data
    let fields: [Substring]

    func bytes(_ index: Int) -> Data { Data(hex: fields[index]) }
    func number(_ index: Int) -> Int { Int(fields[index]) ?? -1 }
  }

  var algorithm = ""
  var claimedCount = 0
  var cases: [Case] = []

  init(_ name: String) throws {
    let text = try String(contentsOf: Resource.url("Vectors/\(name).txt"), encoding: .utf8)
    var key = Data()
    var previous: [Substring] = []
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ")
      switch words[0] {
      case "algorithm": algorithm = String(words[1])
      case "cases": claimedCount = Int(words[1]) ?? -1
      case "key": key = Data(hex: words[1])
      default:
        guard let number = Int(words[0]), let outcome = Outcome(rawValue: words[1].first ?? "?")
        else { throw CocoaError(.fileReadCorruptFile) }
        let fields = words.dropFirst(2).enumerated().map { index, field in
          field == "=" ? previous[index] : field == "-" ? "" : field
        }
        cases.append(Case(number: number, outcome: outcome, key: key, fields: fields))
        previous = fields
      }
    }
  }
}
