import Foundation

/// Hides typed text on a terminal, until ``end()`` or a signal that ends the process.
struct TerminalSilence {
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  private let file: Int32
  private let wasSet: Bool
  private var handlersBefore: [(Int32, (@convention(c) (Int32) -> Void)?)] = []

  init(_ file: Int32) {
    self.file = file
    guard tcgetattr(file, &terminalBefore) == 0 else {
      wasSet = false
      return
    }
    silentTerminal = file
    for number in Self.signals {
      let before = signal(number) { number in
        // Only calls that are safe in a signal handler are allowed here.
        if silentTerminal >= 0 { tcsetattr(silentTerminal, TCSANOW, &terminalBefore) }
        signal(number, SIG_DFL)
        raise(number)
      }
      handlersBefore.append((number, before))
    }
    // A process that is stopped by SIGTSTP would leave the terminal without echo.
    handlersBefore.append((SIGTSTP, signal(SIGTSTP, SIG_IGN)))
    var silent = terminalBefore
    silent.c_lflag &= ~tcflag_t(ECHO)
    wasSet = tcsetattr(file, TCSAFLUSH, &silent) == 0
  }

  func end() {
    if wasSet { tcsetattr(file, TCSANOW, &terminalBefore) }
    silentTerminal = -1
    for (number, handler) in handlersBefore { signal(number, handler) }
  }
}

// Global because a signal handler can access nothing else. Only one prompt is open at a time.
nonisolated(unsafe) private var terminalBefore = termios()
nonisolated(unsafe) private var silentTerminal: Int32 = -1
