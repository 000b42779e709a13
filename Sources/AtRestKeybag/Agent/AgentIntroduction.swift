import AtRestCrypto
import Foundation
import Synchronization

/// A connection that was made to the agent before this process became unreadable.
///
/// The agent reads which program a process runs when the process connects. The kernel does not tell it
/// about a process that cannot be dumped. A program that makes itself so, as `atrest` does, therefore
/// connects first, before it has a secret in its memory, and uses this connection later.
@_spi(Tools) public enum AgentIntroduction {
  private static let made = Mutex<[StoreIdentity: AgentSocket]>([:])

  /// Connects to the agent of the store in a folder, if one serves it. The agent has recognised this
  /// program when this call returns.
  ///
  /// A failure is none here: the first call that needs the agent reports it.
  public static func introduce(toAgentOf folder: URL) {
    guard let store = AgentPlace.identity(in: folder),
      let socket = try? AgentPlace.connect(toAgentOf: store, in: folder)
    else { return }
    made.withLock { $0[store] = socket }
  }

  /// Returns the connection to the agent of a store. Several callers share it.
  static func take(_ store: StoreIdentity) -> AgentSocket? {
    made.withLock { made in
      guard let socket = made[store] else { return nil }
      if socket.isOpen { return socket }
      made[store] = nil
      return nil
    }
  }
}
