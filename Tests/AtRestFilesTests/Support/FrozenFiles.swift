import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation

/// The protected files that were written once by version 1 of the format, and their contents.
///
/// `CONTRIBUTING.md`, *A new version of an on-disk format*, says how they were made.
enum FrozenFiles {
  static let passcode = "the frozen passcode"
  static let passphrase = "the frozen passphrase"

  /// Private keys that nobody uses; the second is from RFC 6979, A.2.5.
  static let x25519 = "77076d0a7318a57d3c16c17251b26645df4cb14e2ebb9e4a5e2c9f9a6b1f0a2a"
  static let p256 = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"

  /// Returns the contents of the file with a given name.
  static func contents(_ name: String) -> Data {
    switch name {
    case "empty": Data()
    case "default-chunks": TestFolder.bytes(60_000, seed: 9)
    case "changed":
      TestFolder.bytes(500) + Data("in place".utf8) + TestFolder.bytes(1_492, seed: 5)
    default: Data(name.utf8) + TestFolder.bytes(3_000)
    }
  }

  static let names =
    FileProtection.allCases.map(\.rawValue)
    + ["empty", "default-chunks", "changed", "interrupted"]
    + ["former-none", "former-complete-unless-open"]

  static func privateKey(_ hexadecimal: String, _ algorithm: KeyAlgorithm) throws -> PrivateKey {
    let digits = Array(hexadecimal)
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0..<$0 + 2]), radix: 16)
    }
    return try PrivateKey(rawRepresentation: SecretBytes(Data(bytes)), algorithm: algorithm)
  }

  // MARK: Making the fixtures, once per version

  /// Makes a version's fixtures in a folder that does not exist yet.
  static func make(in folder: URL) throws {
    let device = try FileDeviceKey.openOrCreate(in: folder.appendingPathComponent("device"))
    let keybag = try Keybag.create(
      at: folder.appendingPathComponent("store"), device: device,
      passcode: SecretBytes(utf8: passcode), options: Keybag.Options(kdf: .forTesting))
    func path(_ name: String) -> URL { folder.appendingPathComponent(name) }
    let files = ProtectedFiles(keybag).chunked(by: 1024)
    for protection in FileProtection.allCases {
      let name = protection.rawValue
      try files.write(contents(name), to: path(name), protection: protection)
    }
    let former = try Keybag.create(
      in: MemoryStorage(), device: MemoryDeviceKey(), passcode: nil,
      options: Keybag.Options(kdf: .forTesting))
    try keybag.adopt(former.fileKeySets())
    for protection in [FileProtection.none, .completeUnlessOpen] {
      let name = "former-\(protection.rawValue)"
      try ProtectedFiles(former).chunked(by: 1024)
        .write(contents(name), to: path(name), protection: protection)
    }
    try files.write(contents("empty"), to: path("empty"))
    try ProtectedFiles(keybag).write(contents("default-chunks"), to: path("default-chunks"))

    try files.write(TestFolder.bytes(4_000), to: path("changed"))
    let changed = try files.open(path("changed"), for: .updating)
    try changed.write(Data("in place".utf8), at: 500)
    try changed.truncate(to: 508)
    try changed.synchronize()
    try changed.append(TestFolder.bytes(1_492, seed: 5))
    try changed.close()

    // A crash ended this change before its commit. These are the file and its journal at that time.
    try files.write(contents("interrupted"), to: path("half"))
    let half = try files.open(path("half"), for: .updating)
    try half.append(Data(count: 40_000))
    for suffix in ["", ".atrest-journal"] {
      try FileManager.default.copyItem(
        at: path("half" + suffix), to: path("interrupted" + suffix))
    }
    half.discard()
    try FileManager.default.removeItem(at: path("half"))

    try ProtectedFiles(passphrase: SecretBytes(utf8: passphrase), kdf: .forTesting)
      .chunked(by: 1024).write(contents("passphrase"), to: path("passphrase"))
    try ProtectedFiles(recipients: [
      privateKey(x25519, .x25519).publicKey, privateKey(p256, .p256).publicKey,
    ]).chunked(by: 1024).write(contents("recipients"), to: path("recipients"))
    // Removes the locks, and the record of the place where the store was made.
    for part in ["device", "store"] {
      let files = try FileManager.default.contentsOfDirectory(
        at: path(part), includingPropertiesForKeys: nil)
      for file in files
      where file.lastPathComponent.hasSuffix("lock") || file.lastPathComponent.hasPrefix("place-") {
        try FileManager.default.removeItem(at: file)
      }
    }
  }
}
