@_spi(Tools) import AtRestCrypto
import AtRestKeybag
import Foundation

/// A private key of the secure enclave that is not stored in the keychain: the caller keeps its
/// ``representation``, which only the store that made the key opens, on the same device.
///
/// The private half is in the device's hardware, or sealed under a class key of the store if the
/// device has no hardware for keys.
package struct EnclaveKey: Sendable {
  /// The use of a key, which serves one purpose.
  package enum Use: UInt8, Sendable {
    case signing = 1
    case keyAgreement = 2
  }

  let use: Use
  let store: StoreIdentity
  let device: Data
  /// The set of class keys under which the private half is sealed.
  let keySet: UInt32
  let accessibility: Accessibility
  let accessControl: AccessControl?
  /// The biometric enrolment when the key was made, if the access control depends on it.
  let enrolment: Data?
  /// The KDF and salt of the application password, if there is one.
  let applicationPassword: (kdf: PasswordKDF, salt: Data)?
  /// True if the private half is in the device's hardware.
  package let isInHardware: Bool
  /// The public half.
  package let publicKey: PublicKey
  /// The bytes that the caller keeps: see *Key of the secure enclave* in `docs/Formats.md`.
  package internal(set) var representation = Data()
  /// The sealed private half.
  var box = Data()

  /// The class under whose key the private half is sealed. No backup contains it.
  var keyClass: KeyClass { accessibility.thisDeviceOnly.keyClass }

  /// Creates the key that a device made, without its sealed form.
  init(
    _ use: Use, _ publicKey: PublicKey, isInHardware: Bool, in keybag: Keybag,
    protection: ItemProtection, enrolment: Data?,
    applicationPassword: (kdf: PasswordKDF, salt: Data)?
  ) throws {
    self.use = use
    self.publicKey = publicKey
    self.isInHardware = isInHardware
    self.enrolment = enrolment
    self.applicationPassword = applicationPassword
    let protection = protection.thisDeviceOnly
    accessibility = protection.accessibility
    accessControl = protection.accessControl
    store = keybag.store
    device = try keybag.deviceFingerprint()
    keySet = keybag.keySet
  }

  // MARK: Form

  private static let magic = Data("AtRestSE".utf8)
  private static let version: UInt16 = 1
  private static let tagCount = 32
  private static let publicKeyCount = 65
  /// The largest representation that is read, in bytes.
  static let limit = 16_384

  /// Everything before the box, which is the context of the box.
  func header() throws -> [UInt8] {
    var writer = ByteWriter(capacity: 256)
    writer.fixed(Self.magic)
    writer.integer(Self.version)
    writer.integer(use.rawValue)
    writer.integer(UInt8(isInHardware ? 1 : 0))
    writer.fixed(store.bytes)
    writer.fixed(device)
    writer.integer(keySet)
    writer.integer(keyClass.rawValue)
    writer.fixed(try publicKey.x963Representation())
    writer.integer(UInt8(accessControl == nil ? 0 : 1))
    accessControl?.encode(into: &writer)
    writer.integer(UInt8(enrolment == nil ? 0 : 1))
    if let enrolment { writer.counted(enrolment) }
    writer.integer(UInt8(applicationPassword == nil ? 0 : 1))
    if let applicationPassword {
      writer.fixed(applicationPassword.kdf.encoded)
      writer.fixed(applicationPassword.salt)
    }
    return writer.bytes
  }

  /// Returns the key with its sealed private half, in the form that the caller keeps.
  func sealed(_ box: Data, header: [UInt8], authenticatedBy key: borrowing SecretBytes) -> Self {
    var writer = ByteWriter(capacity: header.count + box.count + 64)
    writer.fixed(header)
    writer.counted(box)
    let body = Data(writer.bytes)
    var sealed = self
    sealed.box = box
    sealed.representation = body + key.authenticationCode(for: body)
    return sealed
  }

  /// Reads the form that the caller kept.
  ///
  /// - Throws: ``AtRestError/Code/otherDevice`` if another device made the key;
  ///   ``AtRestError/Code/otherStore`` if another store of this device made it, such as the one
  ///   before the device was erased; ``AtRestError/Code/damaged`` if the bytes were modified;
  ///   ``AtRestError/Code/unsupportedVersion``.
  init(decoding representation: Data, for use: Use, in keybag: Keybag) throws {
    let representation = Data(representation)
    guard representation.starts(with: Self.magic),
      (Self.tagCount...Self.limit).contains(representation.count)
    else { throw Self.malformed }
    self = try representation.dropLast(Self.tagCount).withUnsafeBytes { bytes in
      var reader = ByteReader(
        bytes, name: "The key of the secure enclave",
        remedy: "Use the dataRepresentation as it was, or create another key.")
      return try Self(from: &reader)
    }
    self.representation = representation
    guard try keybag.deviceFingerprint() == device else {
      throw AtRestError(
        .otherDevice, "The key of the secure enclave was made on another device.",
        remedy: "Use the key on that device, or create another key.")
    }
    guard keybag.store == store else {
      throw AtRestError(
        .otherStore,
        "The key of the secure enclave was made by another store of this device, such as the one "
          + "before the device was erased.",
        remedy: "Use that store (ATREST_STORE), or create another key.")
    }
    let isAuthentic = try keybag.deriveFromIndexKey(.enclaveKeyAuthentication).isValid(
      authenticationCode: representation.suffix(Self.tagCount),
      for: representation.dropLast(Self.tagCount))
    guard isAuthentic else { throw Self.malformed }
    guard self.use == use else {
      throw AtRestError.invalid(
        "The key of the secure enclave is for \(self.use == .signing ? "signatures" : "key agreement").",
        remedy: "Use it for that, or create another key.")
    }
  }

  private static var malformed: AtRestError {
    .damaged(
      "The bytes are not a key of the secure enclave as it was made here: they were modified or cut.",
      remedy: "Use the dataRepresentation as it was, or create another key.")
  }

  private init(from reader: inout ByteReader) throws {
    _ = try reader.fixed(Self.magic.count)
    let version = try reader.integer(UInt16.self)
    guard version == Self.version else {
      throw AtRestError.unsupported(
        "The key of the secure enclave", version: version, known: Self.version)
    }
    guard let use = Use(rawValue: try reader.integer()) else { throw Self.malformed }
    let flags = try reader.integer(UInt8.self)
    guard flags <= 1 else { throw Self.malformed }
    self.use = use
    isInHardware = flags == 1
    store = StoreIdentity(Data(try reader.fixed(16)))
    device = Data(try reader.fixed(8))
    keySet = try reader.integer()
    accessibility = try Accessibility(keyClass: reader.integer())
    publicKey = try PublicKey(x963Representation: Data(reader.fixed(Self.publicKeyCount)))
    accessControl = try Self.optional(&reader) { try AccessControl(from: &$0) }
    enrolment = try Self.optional(&reader) { Data(try $0.counted(limit: 1 << 10)) }
    applicationPassword = try Self.optional(&reader) {
      (
        try PasswordKDF.decoded(from: Data(try $0.fixed(PasswordKDF.encodedCount))),
        Data(try $0.fixed(16))
      )
    }
    box = Data(try reader.counted(limit: Self.limit))
    try reader.finish()
  }

  private static func optional<Value>(
    _ reader: inout ByteReader, _ read: (inout ByteReader) throws -> Value
  ) throws -> Value? {
    switch try reader.integer(UInt8.self) {
    case 0: nil
    case 1: try read(&reader)
    default: throw malformed
    }
  }
}

extension Purpose {
  /// The label of the key that authenticates representations.
  static let enclaveKeyAuthentication = Purpose("atrest.enclave-key-authentication.v1")
  /// The label of the keys that seal private halves.
  static let enclaveKeyBox = Purpose("atrest.enclave-key-box.v1")
}
