import CAtRestPeer
import Foundation

/// The properties of a process that the kernel showed when its connection was accepted.
///
/// A program that is about to have a secret in its memory hides itself from the other programs of its
/// user, and so from the agent (`PR_SET_DUMPABLE`, as `atrest` does). It is seen all the same if it waits
/// for the answer to its greeting before: no connection gets an answer that was not looked at.
///
/// Looking takes microseconds and waits for nothing: of the files of the process, only what the kernel has
/// in memory is read. It decides nothing yet.
final class SeenProcess: Sendable {
  /// The file that a process runs. It has this path in the process's own root.
  struct Program: Sendable {
    let path: String
    let file: RunningProgram.FileState
  }

  let user: UInt32
  let group: UInt32
  /// The number of the process. It is a hint only, because numbers are reused.
  let process: Int32
  /// The label of the security module, in the kernel's bytes. nil if it could not be read.
  let label: [UInt8]?
  /// The label by which the process is confined. Before Linux 6.17, AppArmor gives sockets none, and the
  /// process shows its own. It may change that one as its profile permits, so it is never evidence.
  let confiningLabel: [UInt8]?
  /// True if the process has the agent's root and user namespace.
  let sharesFiles: Bool
  /// The program, or nil if it cannot be seen.
  let program: Program?
  /// The texts of `cgroup` and `stat` in the folder of the process.
  let controlGroups: String?
  let status: String?
  /// The root of the process, if it is another one than the agent's.
  let root: OpenDescriptor?
  /// True if the agent had no descriptors to look with. What was not seen then says nothing about the process.
  let lacksDescriptors: Bool

  /// Looks at the process at the other end of a connected Unix socket. Returns nil if it has none.
  convenience init?(socket: Int32) {
    var peer = atrest_peer()
    errno = 0
    guard atrest_get_peer(socket, &peer) == 0 else { return nil }
    let lacksDescriptors = peer.descriptor < 0 && DescriptorShortage.isReason
    defer { if peer.descriptor >= 0 { close(peer.descriptor) } }
    var label = [CChar](repeating: 0, count: 8192)
    let length = atrest_get_peer_label(socket, &label, label.count)
    self.init(
      peer, label: length < 0 ? nil : label[..<Int(length)].map { UInt8(bitPattern: $0) },
      lacksDescriptors: lacksDescriptors)
  }

  /// Looks at a process that a bus describes.
  ///
  /// A bus that has no descriptor of the process knows only the number that it had when it connected, and which may be
  /// that of another process by now. Such a process is not looked at, and so counts as sandboxed.
  ///
  /// - Throws: ``DescriptorShortage`` if the descriptor could not be received or read.
  convenience init(_ credentials: BusCredentials) throws {
    if credentials.lacksDescriptor { throw DescriptorShortage() }
    var known = try credentials.descriptor.flatMap { try ProcessFolder.process(of: $0.number) }
    // The agent's own connections with the bus are those of its clients, of which nobody knows which one calls.
    if known == getpid() { known = nil }
    self.init(
      atrest_peer(
        user: credentials.user, group: getegid(), process: known ?? credentials.process,
        descriptor: known == nil ? -1 : credentials.descriptor?.number ?? -1),
      label: credentials.label)
    if lacksDescriptors { throw DescriptorShortage() }
  }

  private init(_ peer: atrest_peer, label: [UInt8]?, lacksDescriptors: Bool = false) {
    (user, group, process) = (peer.user, peer.group, peer.process)
    self.label = label
    let folder = ProcessFolder(peer.process)
    let shown = label?.isEmpty == true ? folder.contents("attr/current") : nil
    let program = folder.program
    let hasOwnRoot = !folder.isAgents("root", Self.ownRoot)
    let sharesFiles = !hasOwnRoot && folder.isAgents("ns/user", Self.ownUsers)
    let root = hasOwnRoot ? folder.place("root") : nil
    let (controlGroups, status) = (folder.contents("cgroup"), folder.contents("stat"))
    confiningLabel = shown.map { Array($0.utf8.prefix { $0 != 0 && $0 != 10 }) } ?? self.label
    self.lacksDescriptors = lacksDescriptors || folder.lacksDescriptors
    // If the process has ended meanwhile, this may be of a later one with the same number.
    guard peer.descriptor >= 0, atrest_is_running(peer.descriptor) == 1 else {
      (self.sharesFiles, self.program, self.root) = (false, nil, nil)
      (self.controlGroups, self.status) = (nil, nil)
      return
    }
    (self.sharesFiles, self.program, self.root) = (sharesFiles, program, root)
    (self.controlGroups, self.status) = (controlGroups, status)
  }

  private static let ownRoot = ProcessFolder.file("/")
  private static let ownUsers = ProcessFolder.file("/proc/self/ns/user")

  /// The one for whom the connection is held.
  var holder: Holder {
    // A process that keeps others from reading it counts by its number.
    Holder(
      user: user, process: process,
      program: program.map { .file(device: $0.file.device, number: $0.file.number) })
  }
}
