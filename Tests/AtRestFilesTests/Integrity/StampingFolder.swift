import AtRestCrypto
import AtRestFiles
import Foundation

/// A folder of a test's own, with keys for stamps.
final class StampingFolder {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("atrest-stamp-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  @discardableResult
  func write(_ name: String, _ contents: Data) throws -> URL {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try contents.write(to: file)
    return file
  }

  @discardableResult
  func write(_ name: String, _ contents: String) throws -> URL {
    try write(name, Data(contents.utf8))
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: url.appendingPathComponent(name))
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: url.appendingPathComponent(name).path, withDestinationPath: target)
  }

  func setMode(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: url.appendingPathComponent(name).path)
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }
}

/// The methods of stamps, each with its verifier and one with another key.
enum StampingMethod: String, CaseIterable, Sendable {
  case hmac, p256, ed25519, rsa2048

  /// The methods that are fast enough to test every byte.
  static let quick: [StampingMethod] = [.hmac, .p256, .ed25519]

  func keys() throws -> (
    stamper: FileStamper, verifier: FileStampVerifier, other: FileStampVerifier
  ) {
    if self == .hmac {
      let key = SecretBytes.random(count: 32)
      return (
        try FileStamper(hmacKey: key), try FileStampVerifier(hmacKey: key),
        try FileStampVerifier(hmacKey: SecretBytes.random(count: 32))
      )
    }
    guard let algorithm = KeyAlgorithm(name: rawValue) else {
      throw CocoaError(.featureUnsupported)
    }
    let key = SigningKey(try PrivateKey.generate(algorithm))
    let other = try PrivateKey.generate(algorithm)
    return (
      try FileStamper(publicKey: key.key.publicKey) { try key.key.signature(for: $0) },
      try FileStampVerifier(publicKey: key.key.publicKey),
      try FileStampVerifier(publicKey: other.publicKey)
    )
  }
}

/// A private key that a closure can hold.
final class SigningKey: Sendable {
  let key: PrivateKey
  init(_ key: consuming PrivateKey) { self.key = key }
}

/// Returns the `AtRestError` of a closure, or nil if it throws none.
func stampError<Result>(_ body: () throws -> Result) -> AtRestError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? AtRestError
  }
}

/// The codes with which a stamped object may be refused.
let stampRefusals: Set<AtRestError.Code> = [
  .damaged, .notStamped, .unsupportedVersion, .authenticationFailed,
]

extension Data {
  /// Returns the same bytes with one bit flipped.
  func flipping(_ offset: Int, bit: Int = 0) -> Data {
    var copy = self
    copy[copy.startIndex + offset] ^= 1 << UInt8(bit)
    return copy
  }

  init(hex: String) {
    self.init()
    var rest = Substring(hex.filter { !$0.isWhitespace })
    while let byte = UInt8(rest.prefix(2), radix: 16) {
      append(byte)
      rest = rest.dropFirst(2)
    }
  }

  var hex: String { map { String(format: "%02x", $0) }.joined() }
}
