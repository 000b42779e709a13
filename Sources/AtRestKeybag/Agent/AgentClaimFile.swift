import AtRestCrypto
import Foundation

/// The contents of the file `agent` in a store's folder: the socket of the agent that serves the store,
/// and the identity of the store.
///
/// It is a hint. What an agent serves is known from its greeting.
@_spi(Tools) public struct AgentClaimFile: Sendable, Equatable {
  /// The path of the socket.
  public let socket: String
  /// The store, or nil if the file does not name it.
  public let store: StoreIdentity?

  /// Reads the file. Returns nil if there is none, or others could have written it.
  public init?(in folder: URL) {
    let file = SystemPath.open(
      folder.appendingPathComponent(AgentPlace.fileName).path,
      O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_mode & 0o022 == 0
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(file, &bytes, bytes.count)
    guard count > 0, let text = String(validating: bytes[..<count], as: UTF8.self) else {
      return nil
    }
    let lines = text.split(separator: "\n").map(String.init)
    guard let socket = lines.first, socket.hasPrefix("/") else { return nil }
    self.socket = socket
    store = lines.count > 1 ? StoreIdentity(text: lines[1]) : nil
  }

  /// Returns true if an agent that runs holds the file. The lock is taken for a moment to know it.
  public static func isHeld(in folder: URL) -> Bool {
    let file = SystemPath.open(
      folder.appendingPathComponent(AgentPlace.fileName).path,
      O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    return flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// The file's text for a socket and a store.
  public static func text(_ socket: String, _ store: StoreIdentity?) -> String {
    socket + "\n" + (store.map { "\($0)\n" } ?? "")
  }
}
