import ArgumentParser
import AtRestCredentials
import AtRestCrypto
import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a program with secrets in its environment.",
    discussion: """
      Each variable whose value is a reference, atrest://service/account, has the item's secret for \
      the program. References are in this command's environment, or in files of NAME=value lines. \
      Other users cannot read a program's environment; other programs of the same user can, so \
      --file passes a secret in a file in memory instead.

      In the program's output, each secret is replaced by [withheld], also in hexadecimal, Base64, \
      percent-encoding, JSON, HTML and other encodings. A line without an end, such as a prompt, \
      appears after 50 milliseconds. The program's exit code becomes this command's; 128 is added to \
      the number of a signal that ended the program.

      --secret-service sets DBUS_SESSION_BUS_ADDRESS to the bus of the agent, on which it is \
      org.freedesktop.secrets. The program needs a grant for the group secret-service.

      EXAMPLES
        DB_PASSWORD=atrest://db/eva atrest run -- psql
        atrest run --env-file deploy.env -- ./deploy
        atrest run --file TOKEN_FILE=atrest://api/ci -- ./deploy
        atrest run --secret-service -- secret-tool lookup service mail
      """)

  @Option(
    help: ArgumentHelp(
      "A file of NAME=value lines, which take precedence over the environment. May be repeated.",
      valueName: "file"))
  var envFile: [String] = []

  @Option(
    help: ArgumentHelp(
      "A variable that gets the path of a file in memory with the secret. May be repeated.",
      valueName: "NAME=reference"))
  var file: [String] = []

  @Flag(help: "Pass the program's output on as it is. It then has this command's terminal.")
  var noMasking = false

  @Flag(
    help: """
      Let the agent be the program's session bus and its Secret Service, so a program that keeps secrets in a keyring \
      keeps them in the store.
      """)
  var secretService = false

  @OptionGroup(title: "Store") var unlock: UnlockOptions

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("The program and its arguments, after --.", valueName: "program"))
  var program: [String] = []

  func validate() throws {
    guard !program.isEmpty else {
      throw ValidationError("Name the program after --, as in: atrest run -- env")
    }
    try StandardInput.check(envFile.map { $0 } + [unlock.passcodeFile])
    for text in file { _ = try fileReference(text) }
  }

  private func fileReference(_ text: String) throws -> (name: String, reference: SecretReference) {
    let halves = text.split(separator: "=", maxSplits: 1)
    guard halves.count == 2, EnvironmentFile.isName(halves[0]),
      let reference = try SecretReference(halves[1])
    else { throw ValidationError("--file needs NAME=atrest://service/account.") }
    return (String(halves[0]), reference)
  }

  func run() throws {
    var values = SystemPath.environment
    for path in envFile {
      for (name, value) in try EnvironmentFile.variables(in: path) {
        values[name] = SystemPath.text(value.utf8)
      }
    }
    if secretService {
      let agent = try AgentAccess.connect(unlock.store)
      values[SecretServiceAddress.variable] = try SecretServiceAddress.address(beside: agent.path)
    }
    let files = try file.map(fileReference)
    for (name, _) in files { values[name] = nil }
    let references = try values.compactMapValues { try SecretReference($0) }

    var secrets: [SecretBox] = []
    var environment: [SecretBox] = []
    if !references.isEmpty || !files.isEmpty {
      let keychain = try unlock.open()
      let context = AuthenticationContext(reason: "Run \(program[0])")
      for (name, reference) in references.sorted(by: { $0.key < $1.key }) {
        let secret = SecretBox(try keychain.secret(for: reference.key, context: context))
        environment.append(SecretBox(try Self.variable(name, secret.bytes)))
        secrets.append(secret)
      }
      for (name, reference) in files {
        let secret = SecretBox(try keychain.secret(for: reference.key, context: context))
        let path = try SecretMemoryFile.create(secret.bytes)
        environment.append(SecretBox(SecretBytes(utf8: "\(name)=\(path)\0")))
        secrets.append(secret)
      }
      keychain.close()
      keychain.keybag.lock()
    }
    for (name, value) in values where references[name] == nil {
      let variable = SystemPath.bytes("\(name)=\(value)\0")
      environment.append(
        SecretBox(SecretBytes(count: variable.count) { $0.copyBytes(from: variable) }))
    }
    let code = try start(environment, hiding: secrets)
    if code != 0 { throw ExitCode(code) }
  }

  /// Starts the program. If that fails, the command ends with the exit code that shells have for it.
  private func child(
    _ environment: [SecretBox], output: (out: Int32, errors: Int32)? = nil
  ) throws -> ChildProcess {
    do {
      return try ChildProcess(program, environment: environment, output: output)
    } catch let error as AtRestError {
      Output.failure(error)
      throw ExitCode(ChildProcess.exitCode(error))
    }
  }

  /// Runs the program, and returns its exit code.
  private func start(_ environment: [SecretBox], hiding secrets: [SecretBox]) throws -> Int32 {
    guard !noMasking, !secrets.isEmpty else {
      return try child(environment).wait()
    }
    let isShort = secrets.contains { MaskedPart.hasShort($0.bytes) }
    if isShort {
      Output.note(
        "A secret, or a line of one, with fewer than \(MaskedPart.shortest) bytes is not masked in the "
          + "output.")
    }
    let output = try MaskedOutput(hiding: secrets)
    let process = try child(environment, output: output.descriptors)
    output.passOn()
    return process.wait()
  }

  /// Returns `NAME=secret` with a zero at the end.
  private static func variable(
    _ name: String, _ secret: borrowing SecretBytes
  ) throws -> SecretBytes {
    try secret.withUnsafeBytes { value in
      guard !value.contains(0) else {
        throw AtRestError.invalid(
          "The secret for \(name) contains a zero byte, which no variable can hold.",
          remedy: "Pass it with --file \(name)=atrest://…")
      }
      let start = Array("\(name)=".utf8)
      return SecretBytes(count: start.count + value.count + 1) { bytes in
        bytes.copyBytes(from: start)
        UnsafeMutableRawBufferPointer(rebasing: bytes[start.count...]).copyBytes(from: value)
      }
    }
  }
}
