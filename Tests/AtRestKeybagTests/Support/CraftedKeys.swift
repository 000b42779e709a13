@_spi(Tools) import AtRestCrypto
import AtRestKeybag
import Foundation

/// The head of a backup whose class keys of files somebody chose.
struct CraftedKeys {
  static let passphrase = "chosen by a stranger"

  /// The store that the set claims to be of.
  var store: StoreIdentity
  var number: UInt32 = 1
  var classes: [KeyClass] = KeyClass.allCases.filter(\.isForFiles)
  var ids: [UInt64] = [1, 2, 3, 4]
  /// Each byte of the class keys.
  var byte: UInt8 = 9

  /// Reads the sets of a backup with this head, as a restore does.
  func sets(for device: MemoryDeviceKey) throws -> [FileKeySet] {
    let salt = Data(count: 16)
    let root = try PasswordKDF.forTesting.deriveKey(
      from: SecretBytes(utf8: Self.passphrase), salt: salt)
    var writer = ByteWriter()
    writer.fixed(Data("AtRestBK".utf8))
    writer.integer(UInt16(1))
    writer.fixed(Data(count: 16 + 8))
    writer.fixed(PasswordKDF.forTesting.encoded)
    writer.fixed(salt)
    writer.integer(UInt8(0))
    writer.integer(UInt16(1))
    writer.fixed(store.bytes)
    writer.integer(number)
    writer.integer(UInt8(classes.count))
    for (keyClass, id) in zip(classes, ids) {
      var context = ByteWriter()
      context.fixed(store.bytes)
      context.integer(number)
      context.integer(keyClass.rawValue)
      writer.integer(keyClass.rawValue)
      writer.integer(id)
      let wrapping = root.derive(Purpose("atrest.backup-file-wrap.v1"), context: context.data)
      writer.fixed(
        try WrappingKey(wrapping).wrap(SecretBytes(Data(repeating: byte, count: 32))))
    }
    writer.fixed(
      root.derive(Purpose("atrest.backup-authentication.v1"))
        .authenticationCode(for: writer.data))
    return try writer.bytes.withUnsafeBytes {
      try BackupKeybag(
        reading: $0, passphrase: SecretBytes(utf8: Self.passphrase), device: device,
        fingerprint: Data(count: 8), name: "The backup")
    }.fileKeys
  }

  /// The key of a file, wrapped under the chosen class key.
  func wrapped() throws -> Data {
    let key = SecretBytes(Data(repeating: byte, count: 32))
    return try WrappingKey(key.derive(Purpose("atrest.class-wrap.v1")))
      .wrap(SecretBytes(Data(repeating: 7, count: 32)))
  }
}
