import AtRestCrypto
import Foundation

/// The sockets at which the agent of a store may listen.
///
/// A socket belongs to the agent of a store only if the answer to a greeting names the store. A program
/// therefore never sends anything to the agent of another store, and a socket that a service manager
/// opened starts the agent.
@_spi(Tools) public enum AgentPlace {
  /// The name of the file in the store's folder that names the socket of a running agent, if it is none
  /// of the standard ones.
  public static let fileName = "agent"

  /// The socket of a new agent, if none is named: one with the name of the store in the folder `atrest`
  /// of `XDG_RUNTIME_DIR`, or in the folder of the agent's state if the variable is not set.
  public static func standardSocket(
    of store: StoreIdentity, state: URL,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    runtimeFolder(environment).map { "\($0)/\(store.text)" }
      ?? state.appendingPathComponent("agent-\(store.text)").path
  }

  /// The socket on which an agent is the Secret Service, if none is named.
  public static func secretServiceSocket(beside socket: String) -> String { socket + "-bus" }

  /// The folder of sockets, which only the user can enter. nil if there is none.
  private static func runtimeFolder(_ environment: [String: String]) -> String? {
    guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
    return folder + "/atrest"
  }

  /// The sockets to try, in order.
  private static func candidates(
    _ store: StoreIdentity, _ claim: AgentClaimFile?, _ environment: [String: String]
  ) -> [String] {
    var paths: [String] = []
    if let path = environment["ATREST_AGENT"], path.hasPrefix("/") { paths.append(path) }
    if let claim { paths.append(claim.socket) }
    if let folder = runtimeFolder(environment) {
      // The second one is that of the units for systemd, which cannot know the name of the store.
      paths += ["\(folder)/\(store.text)", folder + "/agent"]
    }
    var seen = Set<String>()
    return paths.filter { seen.insert($0).inserted }
  }

  /// Connects to the agent that serves a store. Returns nil if none does.
  ///
  /// - Throws: ``AtRestError/Code/system`` if an agent is there, but does not answer;
  ///   ``AtRestError/Code/notPermitted`` if it belongs to another user.
  package static func connect(
    toAgentOf store: StoreIdentity, in folder: URL,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> AgentSocket? {
    if let known = AgentIntroduction.take(store) { return known }
    let claim = AgentClaimFile(in: folder)
    for path in candidates(store, claim, environment) {
      if let socket = try AgentSocket(toListenerAt: path), socket.store == store { return socket }
    }
    return nil
  }

  /// Returns the socket of the agent that serves the store in a folder, or nil if there is none. If the
  /// store was wiped, its agent is still found, so its state can be asked for.
  public static func socket(ofStore folder: URL) -> String? {
    guard let store = identity(in: folder) ?? AgentClaimFile(in: folder)?.store else { return nil }
    return (try? connect(toAgentOf: store, in: folder))?.path
  }

  /// Returns the identity that the keybag in a folder names, or nil if there is none. It is not
  /// authenticated: whoever changes it can only keep an agent from being found.
  public static func identity(in folder: URL) -> StoreIdentity? {
    let storage = FolderStorage(folder)
    guard var stored = (try? storage.read(KeybagFile.fileName)).flatMap({ $0 }) else { return nil }
    defer { stored.erase() }
    return (try? KeybagFile.head(of: stored, location: storage.location))?.store
  }
}
