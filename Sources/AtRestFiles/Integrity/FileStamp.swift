@_spi(Tools) import AtRestCrypto
import Crypto
import Foundation

/// A proof that contents are unchanged: their size and SHA-256, authenticated by an HMAC or a
/// signature.
///
/// ```swift
/// let stamp = try stamper.stamp(file)
/// try stamp.encoded.write(to: file.appendingPathExtension("stamp"))
/// let again = try FileStamp(decoding: Data(contentsOf: stampFile))
/// try verifier.check(file, against: again)
/// ```
///
/// A decoded stamp is well-formed, but not verified; verify it with ``FileStampVerifier``.
/// `docs/Formats.md` specifies the bytes.
public struct FileStamp: Hashable, Sendable {
  /// The kind of stamped object, and the place of the stamp. A stamp of one form is refused where
  /// another form is expected.
  public enum Form: UInt8, Sendable {
    /// The stamp of a file, stored outside the file.
    case detached = 1
    /// The stamp of a file, stored at the end of the file.
    case appended = 2
    /// The stamp of a `FolderManifest`.
    case manifest = 3
  }

  /// The method with which a stamp authenticates contents.
  public enum Method: Hashable, Sendable, CustomStringConvertible {
    /// HMAC-SHA-256. Anyone who can check a stamp can also make one.
    case hmacSHA256
    /// A signature. Anyone who has the public key can check a stamp.
    case signature(SignatureScheme)

    /// The name of the method: `hmac-sha256`, or the name of the scheme.
    public var description: String {
      switch self {
      case .hmacSHA256: "hmac-sha256"
      case .signature(let scheme): scheme.name
      }
    }
  }

  static let magic = Array("AtRestST".utf8)
  static let version: UInt16 = 1
  static let longestCode = 1024
  static let longestScheme = 64
  /// An upper limit for the size of a stamp in bytes. A larger length is refused before the stamp
  /// is read.
  static let longest = 2048

  /// The form of the stamp.
  public let form: Form
  /// The method with which the stamp was made.
  public let method: Method
  /// The identity of the key: 8 bytes that are derived from the HMAC key, or the first 8 bytes of
  /// the public key's SHA-256.
  package let keyFingerprint: Data
  /// The number of bytes that were stamped.
  package let contentSize: UInt64
  /// The SHA-256 of the bytes that were stamped.
  package let contentDigest: Data
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

  /// The bytes that are authenticated: everything in the stamp before the HMAC or signature.
  var statement: Data {
    Self.statement(Self.head(form, method, keyFingerprint, contentSize, contentDigest))
  }

  /// The encoded stamp: about 110 bytes with HMAC, 160 with P-256.
  public var encoded: Data {
    var writer = ByteWriter(capacity: 256)
    writer.fixed(Self.head(form, method, keyFingerprint, contentSize, contentDigest))
    writer.counted(code)
    return writer.data
  }

  private static func statement(_ head: Data) -> Data {
    Data("atrest.stamp-statement.v1".utf8) + head
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

  /// Decodes a stamp. The stamp is not verified.
  ///
  /// - Parameter name: A name for error messages.
  /// - Throws: ``AtRestError/Code/notStamped`` if the bytes are not a stamp;
  ///   ``AtRestError/Code/unsupportedVersion`` for a later version or an unknown method;
  ///   ``AtRestError/Code/damaged`` if the stamp is cut off, too long or malformed.
  public init(decoding bytes: Data, name: String = "The stamp") throws {
    self = try bytes.withUnsafeBytes { try Self.read($0, name: name) }
  }

  private static func read(_ bytes: UnsafeRawBufferPointer, name: String) throws -> FileStamp {
    guard bytes.prefix(magic.count).elementsEqual(magic) else {
      throw AtRestError(
        .notStamped, "\(name) is not a stamp.",
        remedy: "Pass the file that was written when the stamp was made.")
    }
    var reader = ByteReader(bytes, name: name)
    _ = try reader.fixed(magic.count)
    let version = try reader.integer(UInt16.self)
    guard version == Self.version else {
      throw later(
        "\(name) has version \(version); this version of AtRest reads version \(Self.version).")
    }
    guard let form = Form(rawValue: try reader.integer()) else {
      throw AtRestError.damaged("\(name) has an unknown form.")
    }
    let number = try reader.integer(UInt8.self)
    let key = Data(try reader.fixed(StampKey.fingerprintCount))
    let scheme = String(decoding: try reader.counted(limit: longestScheme), as: UTF8.self)
    let method: Method
    switch (number, scheme) {
    case (1, ""): method = .hmacSHA256
    case (1, _): throw AtRestError.damaged("\(name) names a signature but contains none.")
    case (2, _):
      guard let scheme = SignatureScheme(name: scheme) else {
        throw later("\(name) was made with an unknown signature scheme.")
      }
      method = .signature(scheme)
    default: throw later("\(name) was made with the unknown method \(number).")
    }
    let size = try reader.integer(UInt64.self)
    let digest = Data(try reader.fixed(ContentDigest.count))
    let code = Data(try reader.counted(limit: longestCode))
    try reader.finish()
    return FileStamp(
      form: form, method: method, keyFingerprint: key,
      content: ContentDigest(size: size, digest: digest), code: { _ in code })
  }

  private static func later(_ message: String) -> AtRestError {
    AtRestError(.unsupportedVersion, message, remedy: "Use a later version of AtRest.")
  }
}
