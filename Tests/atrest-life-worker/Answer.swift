import AtRestCrypto
import Foundation
import GRDB

/// The answer to an order: `done` or the code of an error, and what was read.
struct Answer: Encodable {
  var code = "done"
  var message = ""
  var values: [String: String] = [:]
  var status: Int32 = 0

  init(values: [String: String] = [:]) { self.values = values }

  init(_ error: any Error) {
    code = Self.code(error)
    message = "\(error)"
    status = Self.status(error)
  }

  static func code(_ error: any Error) -> String {
    switch error {
    case let error as AtRestError: error.code.rawValue
    case let error as DatabaseError: "sqlite-\(error.extendedResultCode.rawValue)"
    default: "unexpected"
    }
  }

  /// The exit code of `atrest` for an error.
  private static func status(_ error: any Error) -> Int32 {
    switch (error as? AtRestError)?.refusal {
    case .notFound: 3
    case .locked: 4
    case .notPermitted: 5
    case .damaged: 6
    case nil: 1
    }
  }

  /// Writes the answer as one line, with one call.
  func say() {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard var line = try? encoder.encode(self) else { exit(9) }
    line.append(UInt8(ascii: "\n"))
    var rest = line[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
      guard count > 0 else { exit(9) }
      rest = rest.dropFirst(count)
    }
  }
}
