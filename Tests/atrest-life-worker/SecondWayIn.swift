import AtRestCrypto
import AtRestFiles
import Foundation

/// The key pair with which files open that have a second way in, apart from any store.
struct SecondWayIn {
  private let folder: URL
  private var identity: URL { folder.appendingPathComponent("identity.pem") }

  /// - Parameter order: An order with the folder of the pair.
  init(_ order: Order) throws { folder = URL(fileURLWithPath: try order.text("identity")) }

  /// Makes a pair: `identity.pem` and `recipient.pem`.
  func make() throws {
    let key = try PrivateKey.generate(.x25519)
    try key.publicKey.pemRepresentation.write(
      to: folder.appendingPathComponent("recipient.pem"), atomically: true, encoding: .utf8)
    try key.pemRepresentation.withUnsafeBytes { try Data($0).write(to: identity) }
  }

  func read(_ file: URL) throws -> Data {
    let key = try PrivateKey(importing: SecretBytes(Data(contentsOf: identity)))
    return try ProtectedFiles(identity: key).read(file)
  }
}
