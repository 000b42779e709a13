import AtRestContainers
import AtRestCrypto
import Foundation
import Testing

/// Files of the format that Python wrote (`hashlib`, PyCryptodome, GHASH by hand) can be opened.
@Suite(.serialized) struct AppleBackupAnswerTests {
  private static let password = "erase me too"
  private static let keybag = """
    564552530000000400000005545950450000000400000001555549440000001000000000000000000000000000\
    000000484d434b00000028000000000000000000000000000000000000000000000000000000000000000000\
    000000000000005752415000000004000000015341\
    4c54000000146465666768696a6b6c6d6e6f70717273747576774954455200000004000000644450575400000004\
    000000014450494300000004000003e84450534c00000014000102030405060708090a0b0c0d0e0f10111213\
    555549440000001003030303030303030303030303030303434c4153000000040000000357524150000000040000\
    00024b545950000000040000000057504b590000002844da7d1abb73eb769a318e6b2460673669f4e77a964defb5\
    90dcb6ed8e1370ec71a01baa4d6c6272555549440000001007070707070707070707070707070707434c41530000\
    0004000000075752415000000004000000024b545950000000040000000057504b590000002830badf60ee9c8475\
    c70db31df925e3d825f70cb1597997e376dbab29609cc0666680220ae0874c5355554944000000100a0a0a0a0a0a\
    0a0a0a0a0a0a0a0a0a0a434c4153000000040000000a5752415000000004000000034b5459500000000400000000\
    57504b5900000028721b0f0b6f266f86b2c2a902215996b5f1d543b6a8c4d148181c1c17114e833e16a799fe69c6\
    f6f8
    """
  private static let passwordKey =
    "aedb77a8ece89c0242209d95ccb8c67976ef56c1e18d39f360f9d2acdfc18dc1"
  private static let wrappedKey =
    "df28e736c22a279bcbca8f86f003ada276a7ef7dd7ba25086ec69cb6f0f25762fb7a615cb531507a"
  private static let fileKey =
    "065d0cf7490bb9ecd14a36328492e9cacb716ce6e78f7526e92b366c2267b5c3"
  private static let file = """
    1e9cbcd216f3148e720166df69a2dfc12983df5e5e8c5b7112ec2f679990780e1ae62b4cee79842d6b55b39d5362\
    4761
    """
  private static let item = """
    0300000007000000280000001373b8e07a36fa3362b03c010e6efe39af5333a70beb52fb23ab6262c1d65c8c699f\
    3eabdc1cb58db12924cb39cda5c5c7d6e8542bb053492ed3d3fec144e69d63cdd056704df8f7933704365bf55a0f\
    e1bec0e6a68d38226e30809c5e9add2658a60896a9af0020dd66288a8c94eff00154999ab14c3c7ba2b0ec4f
    """

  private func keys() throws -> AppleBackupKeys {
    try AppleBackupKeybag(Data(hex: Self.keybag)).unlock(
      password: SecretBytes(utf8: Self.password))
  }

  private func cipher() throws -> AppleBackupCipher {
    try keys().cipher(wrappedKey: Data(hex: Self.wrappedKey), class: 3, name: "a file")
  }

  @Test func keybagUnlocks() throws {
    let keybag = try AppleBackupKeybag(Data(hex: Self.keybag))
    #expect(keybag.version == 5)
    #expect(keybag.classes.map(\.number) == [3, 7, 10])
    #expect(keybag.classes.map(\.isUnderDevice) == [false, false, true])
    let keys = try keys()
    #expect(keys.classes == [3, 7])
    #expect(keys.deviceClasses == [10])
    #expect(keys.damagedClasses == [])
  }

  @Test func wrongPasswordIsTold() throws {
    let keybag = try AppleBackupKeybag(Data(hex: Self.keybag))
    for wrong in ["", "erase me"] {
      let error = #expect(throws: AtRestError.self) {
        try keybag.unlock(password: SecretBytes(utf8: wrong))
      }
      #expect(error?.code == .authenticationFailed)
    }
  }

  @Test func fileDecrypts() throws {
    let file = Data(hex: Self.file)
    let cipher = try cipher()
    let count = try cipher.plaintextCount(ofCiphertext: file.count, ending: file.suffix(32))
    let plaintext = try cipher.decrypt(file, after: nil).prefix(count)
    #expect(plaintext == Data("What the file holds, over blocks of 16.".utf8))
    let end = try cipher.decrypt(file.suffix(16), after: file.dropFirst(16).prefix(16))
    #expect(end.prefix(count - 32) == plaintext.suffix(count - 32))
  }

  @Test func changedEndOfAFileIsTold() throws {
    let cipher = try cipher()
    var file = Data(hex: Self.file)
    file[file.count - 17] ^= 1
    for (count, end) in [
      (file.count, file.suffix(32)), (file.count - 1, file.suffix(32)), (0, Data()),
      (48, file.suffix(16)),
    ] {
      let error = #expect(throws: AtRestError.self) {
        try cipher.plaintextCount(ofCiphertext: count, ending: end)
      }
      #expect(error?.code == .damaged)
    }
    for size in [0, 15, 17] {
      #expect(throws: AtRestError.self) { try cipher.decrypt(Data(count: size), after: nil) }
    }
  }

  @Test func keychainItemOpens() throws {
    let blob = try AppleKeychainBlob(Data(hex: Self.item), name: "an item")
    #expect(blob.keyClass == 7)
    #expect(blob.encoding == .der)
    let plaintext = try blob.open(with: keys(), name: "an item")
    #expect(
      String(decoding: plaintext, as: UTF8.self)
        == "AtRest: a secret of the keychainAtRest: a secret of the keychaintail")
  }

  // Every byte is changed: class, length, wrapped key, ciphertext, tag. The version is not sealed.
  @Test func changedKeychainItemIsTold() throws {
    let item = Data(hex: Self.item)
    let keys = try keys()
    for index in item.indices.dropFirst(4) {
      var changed = item
      changed[index] ^= 1
      // Only four bits of the class count.
      if (5..<8).contains(index) { continue }
      #expect(throws: AtRestError.self, "byte \(index)") {
        try AppleKeychainBlob(changed, name: "an item").open(with: keys, name: "an item")
      }
    }
    for count in item.indices {
      #expect(throws: AtRestError.self, "\(count) bytes") {
        try AppleKeychainBlob(item.prefix(count), name: "an item").open(with: keys, name: "an item")
      }
    }
  }
}

extension Data {
  /// Reads a hexadecimal text. Stops the test if it is not hexadecimal.
  fileprivate init(hex: String) {
    let digits = hex.map { UInt8($0.hexDigitValue!) }
    self = Data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
  }
}
