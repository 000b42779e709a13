import AtRestCrypto
import Crypto
import Foundation

/// The proof that contents are what they were: their size and SHA-256, under an HMAC or a signature.
///
/// ```swift
/// let seal = try sealer.seal(file)
/// try seal.encoded.write(to: file.appendingPathExtension("seal"))
/// let again = try FileSeal(decoding: Data(contentsOf: sealFile))
/// try verifier.check(file, against: again)
/// ```
///
/// A value that was decoded is well-formed, and no more: ``FileSealVerifier`` says whether it is true.
/// The bytes are in `docs/Formats.md`.
public struct FileSeal: Hashable, Sendable {
  /// What a seal lies on, and where. A seal of one form is refused as one of another.
  public enum Form: UInt8, Sendable {
    /// A file, with the seal elsewhere.
    case detached = 1
    /// A file, with the seal at its end.
    case appended = 2
    /// A ``FolderManifest``.
    case manifest = 3
  }

  /// How a seal is made.
  public enum Method: Hashable, Sendable, CustomStringConvertible {
    /// HMAC-SHA-256, which whoever can check can also make.
    case hmacSHA256
    /// A signature, which whoever has the public key can check.
    case signature(SignatureScheme)

    /// The name: `hmac-sha256`, or the scheme's.
    public var description: String {
      switch self {
      case .hmacSHA256: "hmac-sha256"
      case .signature(let scheme): scheme.name
      }
    }
  }

  static let magic = Array("AtRestSL".utf8)
  static let version: UInt16 = 1
  static let longestCode = 1024
  static let longestScheme = 64
  /// More than any seal has, so that a hostile length is refused before it is read.
  static let longest = 2048

  /// What it lies on.
  public let form: Form
  /// How it was made.
  public let method: Method
  /// Which key made it: 8 bytes that are derived from an HMAC key, or of the public key's SHA-256.
  public let keyFingerprint: Data
  /// The number of bytes that were sealed.
  public let contentSize: UInt64
  /// The SHA-256 of the bytes that were sealed.
  public let contentDigest: Data
  /// The HMAC or signature.
  let code: Data

  init(
    form: Form, method: Method, keyFingerprint: Data, content: ContentDigest,
    code: (Data) throws -> Data
  ) rethrows {
    self.form = form
    self.method = method
    self.keyFingerprint = keyFingerprint
    contentSize = content.size
    contentDigest = content.digest
    self.code = try code(
      Self.statement(
        Self.head(form, method, keyFingerprint, content.size, content.digest)))
  }

  /// What is authenticated: everything in the seal before its code.
  var statement: Data {
    Self.statement(Self.head(form, method, keyFingerprint, contentSize, contentDigest))
  }

  /// The seal's bytes: about 110 with HMAC, 160 with P-256.
  public var encoded: Data {
    var writer = ByteWriter(capacity: 256)
    writer.fixed(Self.head(form, method, keyFingerprint, contentSize, contentDigest))
    writer.counted(code)
    return writer.data
  }

  private static func statement(_ head: Data) -> Data {
    Data("atrest.seal-statement.v1".utf8) + head
  }

  private static func head(
    _ form: Form, _ method: Method, _ key: Data, _ size: UInt64, _ digest: Data
  ) -> Data {
    var writer = ByteWriter()
    writer.fixed(magic)
    writer.integer(version)
    writer.integer(form.rawValue)
    switch method {
    case .hmacSHA256:
      writer.integer(UInt8(1))
      writer.fixed(key)
      writer.counted(utf8: "")
    case .signature(let scheme):
      writer.integer(UInt8(2))
      writer.fixed(key)
      writer.counted(utf8: scheme.name)
    }
    writer.integer(size)
    writer.fixed(digest)
    return writer.data
  }

  /// Reads a seal's bytes. It is not thereby true.
  ///
  /// - Parameter name: What it is, for error messages.
  /// - Throws: `notStamped` where the bytes are not a seal's;
  ///   ``AtRestError/Code/unsupportedVersion`` for one of a later version or of a method that is not
  ///   known; ``AtRestError/Code/damaged`` where it is cut off, too long or out of its bounds.
  public init(decoding bytes: Data, name: String = "The seal") throws {
    self = try bytes.withUnsafeBytes { try Self.read($0, name: name) }
  }

  private static func read(_ bytes: UnsafeRawBufferPointer, name: String) throws -> FileSeal {
    guard bytes.prefix(magic.count).elementsEqual(magic) else {
      throw AtRestError(
        .notStamped, "\(name) is not a seal.",
        remedy: "Name the file that was written when it was sealed.")
    }
    var reader = ByteReader(bytes, name: name)
    _ = try reader.fixed(magic.count)
    let version = try reader.integer(UInt16.self)
    guard version == Self.version else {
      throw later("\(name) has version \(version), and \(Self.version) is known.")
    }
    guard let form = Form(rawValue: try reader.integer()) else {
      throw AtRestError.damaged("\(name) lies on nothing that can be sealed.")
    }
    let number = try reader.integer(UInt8.self)
    let key = Data(try reader.fixed(SealKey.fingerprintCount))
    let scheme = String(decoding: try reader.counted(limit: longestScheme), as: UTF8.self)
    let method: Method
    switch (number, scheme) {
    case (1, ""): method = .hmacSHA256
    case (1, _): throw AtRestError.damaged("\(name) names a signature and has none.")
    case (2, _):
      guard let scheme = SignatureScheme(name: scheme) else {
        throw later("\(name) is made with a signature scheme that is not known.")
      }
      method = .signature(scheme)
    default: throw later("\(name) is made with method \(number), which is not known.")
    }
    let size = try reader.integer(UInt64.self)
    let digest = Data(try reader.fixed(ContentDigest.count))
    let code = Data(try reader.counted(limit: longestCode))
    try reader.finish()
    return FileSeal(
      form: form, method: method, keyFingerprint: key,
      content: ContentDigest(size: size, digest: digest), code: { _ in code })
  }

  private static func later(_ message: String) -> AtRestError {
    AtRestError(.unsupportedVersion, message, remedy: "Use a later version of AtRest.")
  }
}
