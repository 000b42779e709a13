import ArgumentParser
import AtRestAudit
import AtRestContainers
import AtRestCrypto
import Foundation

/// Where the password of an encrypted backup comes from: a prompt or a file, never an argument.
struct PasswordOptions: ParsableArguments {
  @Option(
    help: "A file whose first line is the password of an encrypted backup; '-' is standard input.",
    completion: .file())
  var passwordFile: String?

  /// Opens a backup, and unlocks it if it is encrypted.
  func open(_ path: String) throws -> Backup {
    var backup = try Backup(folder: path)
    if backup.isLocked {
      Output.note("Deriving the keys of the backup, which takes some seconds.")
      try backup.unlock(password: try password(for: path))
    }
    return backup
  }

  private func password(for path: String) throws -> SecretBytes {
    guard let passwordFile else { return try Self.ask("Password of the backup \(path): ") }
    guard
      var data = passwordFile == "-"
        ? FileHandle.standardInput.readDataToEndOfFile()
        : FileManager.default.contents(atPath: passwordFile)
    else { throw AuditError("The password file \(passwordFile) cannot be read.") }
    defer { data.resetBytes(in: data.indices) }
    // No slice outlives its line: the bytes of data that is shared are not erased in place.
    let length = data.prefix { $0 != 0x0A && $0 != 0x0D }.count
    guard length > 0 else { throw AuditError("The password file \(passwordFile) is empty.") }
    return SecretBytes(count: length) { $0.copyBytes(from: data.prefix(length)) }
  }

  /// Asks on the terminal, without showing what is typed.
  private static func ask(_ prompt: String) throws -> SecretBytes {
    let terminal = Foundation.open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else {
      throw AuditError(
        "The backup is encrypted, and there is no terminal to ask for its password: give "
          + "--password-file.")
    }
    defer { close(terminal) }
    var before = termios()
    guard tcgetattr(terminal, &before) == 0 else {
      throw AuditError("The terminal cannot be asked for a password: give --password-file.")
    }
    var silent = before
    // Ctrl-C comes as a byte: as a signal it would leave the terminal silent.
    silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
    tcsetattr(terminal, TCSAFLUSH, &silent)
    defer { tcsetattr(terminal, TCSAFLUSH, &before) }
    let text = Array(prompt.utf8)
    _ = write(terminal, text, text.count)
    var line = Data()
    defer { line.resetBytes(in: line.indices) }
    line.reserveCapacity(1024)
    var byte: UInt8 = 0
    while read(terminal, &byte, 1) == 1, byte != 0x0A, byte != 0x03, line.count < 1024 {
      line.append(byte)
    }
    _ = write(terminal, "\n", 1)
    if byte == 0x03 { throw AuditError("No password was typed in.") }
    guard !line.isEmpty else { throw AuditError("No password was typed in.") }
    return SecretBytes(line)
  }
}
