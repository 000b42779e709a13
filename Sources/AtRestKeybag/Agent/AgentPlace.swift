import AtRestCrypto
import Foundation

/// The socket of the agent that serves a store.
///
/// A running agent holds a lock on the file `agent` in the store's folder, which names its socket.
/// If the agent ends, the system releases the lock, and the file has no meaning.
public enum AgentPlace {
  /// The name of the file in the store's folder.
  public static let fileName = "agent"

  /// The socket of a new agent, if none is named: `ATREST_AGENT`, or `atrest/agent` in
  /// `XDG_RUNTIME_DIR`. nil if neither variable is set.
  public static func standardSocket(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String? {
    if let path = environment["ATREST_AGENT"], path.hasPrefix("/") { return path }
    guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
    return folder + "/atrest/agent"
  }

  /// Returns the socket of the agent that serves the store in a folder, or nil if there is none. An
  /// agent that serves a store which another one has replaced in the folder does not count.
  public static func socket(ofStore folder: URL) -> String? {
    let file = SystemPath.open(
      folder.appendingPathComponent(fileName).path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_mode & 0o022 == 0
    else { return nil }
    // If the lock can be taken, no agent holds it.
    guard flock(file, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
    var path = [UInt8](repeating: 0, count: 256)
    let count = read(file, &path, path.count)
    guard count > 0, let text = String(validating: path[..<count], as: UTF8.self) else {
      return nil
    }
    let lines = text.split(separator: "\n").map(String.init)
    guard let socket = lines.first, socket.hasPrefix("/") else { return nil }
    guard lines.count > 1, let served = StoreIdentity(text: lines[1]),
      let present = identity(in: folder)
    else { return socket }
    return served == present ? socket : nil
  }

  /// Returns the identity that the keybag in a folder names, or nil if there is none. It is not
  /// authenticated: whoever changes it can only keep an agent from being found.
  package static func identity(in folder: URL) -> StoreIdentity? {
    let storage = FolderStorage(folder)
    guard var stored = (try? storage.read(Keybag.fileName)).flatMap({ $0 }) else { return nil }
    defer { stored.erase() }
    return (try? KeybagFile.head(of: stored, location: storage.location))?.store
  }
}
