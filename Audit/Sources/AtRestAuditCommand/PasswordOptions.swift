import ArgumentParser
import AtRestAudit
import AtRestContainers
@_spi(Tools) import AtRestCrypto
import Foundation

/// The source of the password of an encrypted backup: a prompt or a file, never an argument.
struct PasswordOptions: ParsableArguments {
  @Option(
    help: "A file whose first line is the password of an encrypted backup; '-' is standard input.",
    completion: .file())
  var passwordFile: String?

  /// Opens a backup, and unlocks it if it is encrypted.
  func open(_ path: String) throws -> Backup {
    var backup = try Backup(folder: path)
    if backup.isLocked {
      Output.note("Deriving the keys of the backup. This takes a few seconds.")
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
    else { throw AuditError("The password file \(passwordFile) cannot be read. Check its path.") }
    defer { data.resetBytes(in: data.indices) }
    // No slice is kept, because `resetBytes` would then erase a copy instead of the shared bytes.
    let length = data.prefix { $0 != 0x0A && $0 != 0x0D }.count
    guard length > 0 else {
      throw AuditError("The password file \(passwordFile) is empty. Write the password into it.")
    }
    return SecretBytes(count: length) { $0.copyBytes(from: data.prefix(length)) }
  }

  /// Asks on the terminal without showing what is typed.
  private static func ask(_ prompt: String) throws -> SecretBytes {
    guard TerminalPrompt.isPresent else {
      throw AuditError(
        "The backup is encrypted, and there is no terminal to ask for its password. Use "
          + "--password-file.")
    }
    let password = try TerminalPrompt.secret(prompt)
    guard password.count > 0 else {
      throw AuditError("No password was entered. Try again, or use --password-file.")
    }
    return password
  }
}
