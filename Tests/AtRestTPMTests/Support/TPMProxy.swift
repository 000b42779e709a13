import Foundation
import Synchronization

/// A proxy between the library and a TPM. It records all bytes of both directions, and a test can
/// change what passes.
final class TPMProxy: Sendable {
  /// The proxy's decision about one command.
  enum Action {
    case forward
    /// Answers in place of the TPM.
    case answer(Data)
    /// Forwards the command and changes the answer.
    case change(@Sendable (Data) -> Data)
    /// Never answers, and does not forward the command.
    case swallow
    /// Closes the connection before the TPM gets the command.
    case cut
  }

  private struct State {
    var bytes = Data()
    var commands: [UInt32] = []
  }

  private let folder: URL
  private let target: String
  private let decide: @Sendable (_ code: UInt32, _ command: Data) -> Action
  private let state = Mutex(State())
  private let listeners: [Int32]

  var socket: String { folder.appendingPathComponent("p").path }
  var transport: String { "swtpm:path=\(socket)" }
  /// All bytes that passed, on the data and the control socket.
  var recorded: Data { state.withLock { $0.bytes } }
  /// The codes of the commands that passed (`TPM_CC`).
  var commands: [UInt32] { state.withLock { $0.commands } }

  init(
    to device: SoftwareTPM,
    decide: @escaping @Sendable (_ code: UInt32, _ command: Data) -> Action = { _, _ in .forward }
  ) {
    folder = device.folder
    target = device.socket
    self.decide = decide
    let path = device.folder.appendingPathComponent("p").path
    for path in [path, path + ".ctrl"] { unlink(path) }
    listeners = [UnixSocket.listen(at: path), UnixSocket.listen(at: path + ".ctrl")]
    Self.accept(listeners[0]) { [weak self] in self?.relayCommands($0) }
    Self.accept(listeners[1]) { [weak self] in self?.relayControl($0) }
  }

  deinit {
    // Ends the threads that accept.
    for listener in listeners { shutdown(listener, Int32(SHUT_RDWR)) }
  }

  private static func accept(_ listener: Int32, _ serve: @escaping @Sendable (Int32) -> Void) {
    Thread.detachNewThread {
      while true {
        let client = Foundation.accept(listener, nil, nil)
        guard client >= 0 else { break }
        Thread.detachNewThread {
          serve(client)
          close(client)
        }
      }
      close(listener)
    }
  }

  private func record(_ data: Data) { state.withLock { $0.bytes.append(data) } }

  private func relayCommands(_ client: Int32) {
    let server = UnixSocket.connect(to: target)
    guard server >= 0 else { return }
    defer { close(server) }
    while let command = UnixSocket.readMessage(client) {
      let code = command.dropFirst(6).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
      state.withLock {
        $0.bytes.append(command)
        $0.commands.append(code)
      }
      var answer: Data?
      switch decide(code, command) {
      case .cut: return
      case .swallow: continue
      case .answer(let data): answer = data
      case .forward:
        UnixSocket.write(command, to: server)
        answer = UnixSocket.readMessage(server)
      case .change(let change):
        UnixSocket.write(command, to: server)
        answer = UnixSocket.readMessage(server).map(change)
      }
      // An empty answer cuts the connection after the TPM ran the command.
      guard let answer, !answer.isEmpty else { return }
      record(answer)
      UnixSocket.write(answer, to: client)
    }
  }

  private func relayControl(_ client: Int32) {
    let server = UnixSocket.connect(to: target + ".ctrl")
    guard server >= 0 else { return }
    defer { close(server) }
    var descriptors = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    while poll(&descriptors, 2, -1) > 0 {
      for (from, to) in [(0, 1), (1, 0)] where descriptors[from].revents != 0 {
        let count = read(descriptors[from].fd, &buffer, buffer.count)
        guard count > 0 else { return }
        record(Data(buffer[..<count]))
        UnixSocket.write(Data(buffer[..<count]), to: descriptors[to].fd)
      }
    }
  }

  /// An answer that consists of a response code.
  static func answer(code: UInt32) -> Data {
    Data([0x80, 0x01, 0, 0, 0, 10])
      + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> UInt32($0)) }
  }
}

/// Codes of commands (TPM 2.0 Library, part 2, section 6.5.2).
enum CommandCode {
  static let nvUndefine: UInt32 = 0x122
  static let nvDefine: UInt32 = 0x12A
  static let createPrimary: UInt32 = 0x131
  static let nvIncrement: UInt32 = 0x134
  static let nvRead: UInt32 = 0x14E
  static let create: UInt32 = 0x153
  static let load: UInt32 = 0x157
  static let unseal: UInt32 = 0x15E
  static let flush: UInt32 = 0x165
  static let readPublic: UInt32 = 0x173
  static let startSession: UInt32 = 0x176
}
