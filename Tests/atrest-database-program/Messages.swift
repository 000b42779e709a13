/// A line of standard input.
struct Request: Decodable {
  enum Verb: String, Decodable {
    case open, run, loop, copy, close, end, rekey, passphrase
  }

  struct Options: Decodable {
    var compatibility: Int?
    /// `be` or `beta` for these variants of version 2.
    var format: String?
    var pageSize: Int?
    var iterations: Int?
    var plaintextHeader: Int?
    var salt: String?
  }

  enum SQL: Decodable {
    case one(String)
    case several([String])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let statement = try? container.decode(String.self) {
        self = .one(statement)
      } else {
        self = .several(try container.decode([String].self))
      }
    }

    var statements: [String] {
      switch self {
      case .one(let statement): [statement]
      case .several(let statements): statements
      }
    }
  }

  let `do`: Verb
  var path: String?
  var key: String?
  var options: Options?
  var sql: SQL?
  var count: Int?
  var from: String?
  var to: String?
}

/// A line of standard output.
struct Answer: Encodable {
  var rows: [[String?]]?
  var done: Int?
  var error: String?
}
