// These tests use Linux pseudo-terminals.
#if os(Linux)
  import Foundation
  import Testing

  /// A terminal that controls the command running on it.
  final class PseudoTerminal {
    let master: Int32
    let path: String

    init() throws {
      master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      // TIOCSPTLCK and TIOCGPTN, which are macros that Swift does not import.
      var (isLocked, number): (Int32, UInt32) = (0, 0)
      try #require(
        master >= 0 && ioctl(master, 0x4004_5431, &isLocked) == 0
          && ioctl(master, 0x8004_5430, &number) == 0)
      path = "/dev/pts/\(number)"
    }

    deinit { close(master) }

    /// Starts a shell script on the terminal.
    func start(_ script: String, _ run: CommandRun) throws -> Process {
      let terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
      try #require(terminal >= 0)
      let handle = FileHandle(fileDescriptor: terminal, closeOnDealloc: true)
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
      process.arguments = ["-c", "-w", "/bin/bash", "-c", script]
      process.environment = run.environment()
      process.currentDirectoryURL = run.folder
      process.standardInput = handle
      process.standardOutput = handle
      process.standardError = handle
      try process.run()
      return process
    }

    /// Reads until one of the texts has arrived, or the terminal has no writer left.
    func read(until texts: String...) -> String {
      var all: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while !texts.contains(where: String(decoding: all, as: UTF8.self).contains) {
        let count = Foundation.read(master, &buffer, buffer.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { break }
        all += buffer.prefix(count)
      }
      return String(decoding: all, as: UTF8.self)
    }

    func write(_ text: String) {
      _ = text.withCString { Foundation.write(master, $0, strlen($0)) }
    }

    var echoes: Bool {
      var state = termios()
      return tcgetattr(master, &state) == 0 && state.c_lflag & tcflag_t(ECHO) != 0
    }
  }
#endif
