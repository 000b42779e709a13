import AtRestCrypto
import Foundation
import Synchronization

/// The key of an open file and the keys derived from it, kept as long as the file's class allows.
final class FileSecrets: Sendable {
  private struct State {
    var key: SecretBox?
    var ciphers: [Data: ChunkCipher] = [:]
  }

  /// The maximum number of derived keys that are kept. Each handle that changes a file adds one, so
  /// a file may need thousands.
  private static let maximumCiphers = 64

  let keys: any FileKeys
  let slots: [KeySlot]
  private let name: String
  /// The header that authenticates the key, or nil for a new file.
  private let header: Data?
  private let state: Mutex<State>

  /// Unwraps the secrets of a stored file.
  ///
  /// - Parameter header: The bytes that contain the slots. The caller must authenticate them with
  ///   the key.
  init(unwrapping slots: [KeySlot], header: Data, keys: any FileKeys, name: String) throws {
    self.keys = keys
    self.slots = slots
    self.name = name
    self.header = header
    state = Mutex(State(key: SecretBox(try Self.unwrap(slots, header, keys, name))))
  }

  private static func unwrap(
    _ slots: [KeySlot], _ header: Data?, _ keys: any FileKeys, _ name: String
  ) throws -> SecretBytes {
    guard let header else { return try keys.unwrap(slots, name: name) }
    return try keys.unwrap(slots, name: name) { key in
      header.withUnsafeBytes { FileHeader.isAuthentic($0, fileKey: key) }
    }
  }

  /// Creates the secrets of a new file.
  init(new protection: FileProtection?, keys: any FileKeys, name: String) throws {
    self.keys = keys
    self.name = name
    header = nil
    let key = SecretBytes.random(count: 32)
    slots = try keys.wrap(key, protection: protection, name: name)
    state = Mutex(State(key: SecretBox(key)))
  }

  /// Returns the file's key.
  ///
  /// - Throws: ``AtRestError/Code/locked`` if the class is locked, even for an open file.
  func key() throws -> SecretBox {
    do {
      try keys.checkUse(of: slots)
    } catch {
      forget()
      throw error
    }
    if !isUsable { forget() }
    if let key = state.withLock({ $0.key }) { return key }
    // The store was locked, which erased the key, and perhaps unlocked again.
    let key = SecretBox(try Self.unwrap(slots, header, keys, name))
    state.withLock { $0.key = key }
    return key
  }

  /// Returns the cipher for chunks whose key is derived with the given salt.
  func cipher(salt: Data) throws -> ChunkCipher {
    let key = try key()
    return state.withLock { state in
      if let known = state.ciphers[salt] { return known }
      let cipher = ChunkCipher(key.bytes.derive(.fileChunks, salt: salt))
      if state.ciphers.count >= Self.maximumCiphers { state.ciphers = [:] }
      state.ciphers[salt] = cipher
      return cipher
    }
  }

  /// A Boolean value that is true if the class allows the use of the key now.
  var isUsable: Bool { keys.mayKeepKey(of: slots) }

  /// Erases the keys.
  func forget() { state.withLock { $0 = State(key: nil) } }
}
