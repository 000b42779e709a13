import AtRestCrypto
@_spi(Tools) import AtRestKeybag
import Foundation

/// The file in the store's folder by which an agent serves the store alone, and names its socket.
@_spi(Tools) public final class AgentClaim: Sendable {
  private let file: Int32
  private let path: String

  /// Takes the store.
  ///
  /// - Parameters:
  ///   - socket: The path of the agent's socket.
  ///   - identity: The identity of the store that the agent serves, or nil to leave it out. An agent
  ///     that still serves a former store of the folder, which was wiped, does not prevent this.
  /// - Throws: ``AtRestError/Code/busy`` if another agent serves the store;
  ///   ``AtRestError/Code/system``.
  public init(store: URL, socket: String, identity: StoreIdentity? = nil) throws {
    let path = store.appendingPathComponent(AgentPlace.fileName).path
    if let identity { Self.removeFormer(path, identity) }
    let file = SystemPath.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else {
      throw AtRestError(
        .system, "Could not open \(path): \(String(cString: strerror(errno))).",
        remedy: "Check the store's folder and its permissions.")
    }
    // Clients that look for an agent hold the lock for a moment. An agent that ends removes the file.
    var status = stat()
    let end = ContinuousClock.now + .seconds(1)
    var isTaken = false
    repeat {
      isTaken = flock(file, LOCK_EX | LOCK_NB) == 0
      if !isTaken { usleep(1000) }
    } while !isTaken && ContinuousClock.now < end
    guard isTaken, fstat(file, &status) == 0, status.st_nlink > 0 else {
      close(file)
      throw AtRestError(
        .busy, "Another agent serves this store.", remedy: "Use that one, or end it first.")
    }
    let text = Array(AgentClaimFile.text(socket, identity).utf8)
    guard ftruncate(file, 0) == 0, pwrite(file, text, text.count, 0) == text.count else {
      close(file)
      throw AtRestError(
        .system, "Could not write \(path).", remedy: "Check the free space of the disk.")
    }
    // A failure above runs no deinit, because the properties are not set.
    self.file = file
    self.path = path
  }

  /// Removes the file of an agent that serves another store.
  private static func removeFormer(_ path: String, _ identity: StoreIdentity) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    guard let served = AgentClaimFile(in: folder)?.store, served != identity else { return }
    SystemPath.remove(path)
  }

  deinit {
    // The file may be that of the agent of a later store.
    var own = stat()
    if fstat(file, &own) == 0, let present = SystemPath.status(path, followingLinks: false),
      own.st_ino == present.st_ino
    {
      SystemPath.remove(path)
    }
    flock(file, LOCK_UN)
    close(file)
  }
}
