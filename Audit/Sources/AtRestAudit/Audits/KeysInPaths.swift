import AtRestAuditReports

/// Masks the keys of opened files in the paths of a container. Reports show paths unchanged, and a file may be named by
/// the key that opens it.
struct KeysInPaths: Sendable {
  private let forms: ReportedSecrets

  /// The length from which a passphrase that is a word of letters is masked. A shorter one may be the name of a file for
  /// other reasons.
  private static let longWord = 16

  init(_ keys: [[UInt8]]) {
    let keys = keys.filter { key in
      key.count >= Self.longWord || !key.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) }
    }
    forms = ReportedSecrets(
      keys.flatMap { key in
        let forms = SecretSpelling.forms(of: key)
        // Base64 in a name has no fill characters, and other ones for `+` and `/`.
        return forms
          + forms.map { form in
            form.filter { $0 != UInt8(ascii: "=") }.map { byte in
              switch byte {
              case UInt8(ascii: "+"): UInt8(ascii: "-")
              case UInt8(ascii: "/"): UInt8(ascii: "_")
              default: byte
              }
            }
          }
      })
  }

  /// The path with the number of characters in the place of each key.
  func masked(_ path: String) -> String {
    let bytes = Array(path.utf8)
    let ranges = forms.ranges(in: bytes)
    guard !ranges.isEmpty else { return path }
    var masked: [UInt8] = []
    var start = 0
    for range in ranges {
      masked += bytes[start..<range.lowerBound] + Array("…(\(range.count))".utf8)
      start = range.upperBound
    }
    return String(decoding: masked + bytes[start...], as: UTF8.self)
  }
}
