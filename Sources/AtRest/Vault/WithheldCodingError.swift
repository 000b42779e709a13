/// A coding error without the value itself. The errors of coders quote the value that they cannot
/// convert.
struct WithheldCodingError: Error, CustomStringConvertible {
  let description: String

  init(_ error: DecodingError) {
    switch error {
    case .typeMismatch(let type, let context): self.init("no \(type)", context.codingPath)
    case .valueNotFound(let type, let context):
      self.init("no \(type), but null", context.codingPath)
    case .keyNotFound(let key, let context):
      self.init("no key \(Self.words(key))", context.codingPath)
    case .dataCorrupted(let context): self.init("not valid", context.codingPath)
    @unknown default: self.init("not valid", [])
    }
  }

  init(_ error: EncodingError) {
    switch error {
    case .invalidValue(let value, let context):
      self.init("\(type(of: value)) that cannot be encoded", context.codingPath)
    @unknown default: self.init("cannot be encoded", [])
    }
  }

  private init(_ what: String, _ path: [any CodingKey]) {
    description = path.isEmpty ? what : "\(path.map(Self.words).joined(separator: ".")): \(what)"
  }

  /// Returns the name of a key that is declared in the program's source, or `*` for a key of a
  /// dictionary, which is data.
  private static func words(_ key: any CodingKey) -> String {
    let mirror = Mirror(reflecting: key)
    return mirror.displayStyle == .enum && mirror.children.isEmpty ? key.stringValue : "*"
  }
}

/// Returns an error in a form that may be shown.
func withheld(_ error: any Error) -> any Error {
  switch error {
  case let error as DecodingError: WithheldCodingError(error)
  case let error as EncodingError: WithheldCodingError(error)
  default: error
  }
}
