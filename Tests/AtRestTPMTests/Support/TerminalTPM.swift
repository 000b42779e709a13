import Foundation

/// A pseudo-terminal in raw mode, which a program can open like the device file of a TPM.
final class TerminalTPM: @unchecked Sendable {
  let path: String
  private let master: Int32
  private let slave: Int32

  init() throws {
    // TIOCSPTLCK and TIOCGPTN of Linux.
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (isLocked, number) = (Int32(0), Int32(0))
    guard master >= 0, ioctl(master, 0x4004_5431, &isLocked) == 0,
      ioctl(master, 0x8004_5430, &number) == 0
    else { throw CocoaError(.fileNoSuchFile) }
    path = "/dev/pts/\(number)"
    slave = open(path, O_RDWR | O_NOCTTY)
    var settings = termios()
    guard slave >= 0, tcgetattr(slave, &settings) == 0 else {
      throw CocoaError(.fileReadNoPermission)
    }
    cfmakeraw(&settings)
    // Whatever a silent TPM did not read is gone.
    guard tcsetattr(slave, TCSAFLUSH, &settings) == 0 else {
      throw CocoaError(.fileReadNoPermission)
    }
  }

  deinit {
    close(slave)
    close(master)
  }

  /// Passes commands to a TPM, and falls silent after a number of them.
  func answer(from device: SoftwareTPM, atMost count: Int) {
    let (master, socket) = (dup(master), device.socket)
    Thread.detachNewThread {
      let server = UnixSocket.connect(to: socket)
      var left = count
      while left > 0, let command = UnixSocket.readMessage(master) {
        UnixSocket.write(command, to: server)
        guard let answer = UnixSocket.readMessage(server) else { break }
        _ = answer.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
        left -= 1
      }
      close(server)
      close(master)
    }
  }
}
