import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation

/// The output of `atrest inspect` for one file, in the form of its JSON.
struct FileReport: Encodable {
  let file: String
  /// `protected`, the format of another library, or nil if it is unknown.
  private(set) var format: String?
  private(set) var header: FileDescription?
  /// The code and the message of the error if there is no header.
  private(set) var error: String?
  private(set) var message: String?

  init(_ path: String) throws {
    file = path
    if let legacy = try LegacyFile(.file(path)) {
      format = legacy.format.rawValue
    } else {
      header = try FileDescription(of: SystemPath.url(path))
      format = "protected"
    }
  }

  init(_ path: String, refused refusal: AtRestError) {
    file = path
    error = refusal.code.rawValue
    message = refusal.message
  }

  /// The report as text.
  var text: String {
    guard let header else {
      return "\(Output.printable(file)): \(Self.legacy[format ?? ""] ?? "")\n"
    }
    var rows = header.readers.map { ("For", Self.text(of: $0)) }
    rows += [
      ("Contents", "\(header.size) bytes, in a file of \(header.storedSize)"),
      ("Cipher", "\(header.cipher), in chunks of \(header.chunkSize) bytes"),
      ("Identity", header.identity),
      (
        "Changed", header.generation == 0 ? "never in place" : "\(header.generation) times in place"
      ),
    ]
    if header.hasInterruptedChange {
      rows.append(
        ("Interrupted", "a change in place; the next opening finishes or reverts it"))
    }
    return "\(Output.printable(file)): protected file, version \(header.version)\n"
      + rows.map { "  \($0):".padding(toLength: 16, withPad: " ", startingAt: 0) + $1 + "\n" }
      .joined()
  }

  private static let legacy = [
    LegacyFile.Format.rnCryptor.rawValue:
      "begins like RNCryptor version 3; atrest unprotect reads it with its passphrase",
    LegacyFile.Format.propertyList.rawValue:
      "property list; atrest unprotect reads one with EncryptionData, EncryptionIV and "
      + "EncryptionSalt",
  ]

  private static func text(of reader: FileDescription.Reader) -> String {
    if let protection = reader.protection {
      return "class \(protection.rawValue) of the store \(reader.store ?? "")"
    }
    if let kdf = reader.kdf { return "a passphrase, \(kdf)" }
    return "the owner of the \(reader.algorithm ?? "") key \(reader.fingerprint ?? "")"
  }
}
