import AtRestKeyServerStore
import Foundation
import Testing

/// Settings from flags, the environment and the file, read by the program.
@Suite struct SettingsTests {
  private let serverKey = TemporaryFile()
  private let file = TemporaryFile()

  init() throws { try serverKey.write(String(repeating: "0a", count: 32)) }

  private func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> (status: Int32, output: String, errors: String) {
    var all = ["ATREST_KEYSERVER_SERVER_KEY": serverKey.path]
    all.merge(environment) { $1 }
    return try ChildProcess.capture([ServerProgram.path] + arguments, environment: all)
  }

  /// Makes a database with one account, by whose name a test recognises it.
  private func database(_ account: String) throws -> TemporaryFile {
    let database = TemporaryFile()
    let made = try run(["account", "create", account, "--embedded", database.path])
    #expect(made.status == 0, "\(made.errors)")
    return database
  }

  @Test func `Flags come before the environment, and the environment before the file`() throws {
    let databases = try ["flag", "environment", "file"].map(database)
    try file.write("# A comment\nembedded: \(databases[2].path)\nport: 8443\n")
    let environment = ["ATREST_KEYSERVER_EMBEDDED": databases[1].path]
    let list = ["account", "list", "--config", file.path]

    let byFile = try run(list)
    #expect(byFile.output.hasPrefix("file\t"), "\(byFile.errors)")
    let byEnvironment = try run(list, environment: environment)
    #expect(byEnvironment.output.hasPrefix("environment\t"))
    let byFlag = try run(list + ["--embedded", databases[0].path], environment: environment)
    #expect(byFlag.output.hasPrefix("flag\t"))
  }

  @Test func `The environment can name the file, and a flag names another`() throws {
    let databases = try ["one", "two"].map(database)
    let other = TemporaryFile()
    try file.write("embedded: \(databases[0].path)\n")
    // JSON is YAML.
    try other.write("{\"embedded\": \"\(databases[1].path)\"}")
    let environment = ["ATREST_KEYSERVER_CONFIG": file.path]
    let byEnvironment = try run(["account", "list"], environment: environment)
    #expect(byEnvironment.output.hasPrefix("one\t"), "\(byEnvironment.errors)")
    let byFlag = try run(
      ["account", "list", "--config", other.path], environment: environment)
    #expect(byFlag.output.hasPrefix("two\t"), "\(byFlag.errors)")
  }

  @Test(arguments: [
    ("port: 8443\nprot: 1\n", "line 2: there is no setting \"prot\"", "server-key"),
    ("\nport: seven\n", "line 2, port: \"seven\" is not valid", "0 to 65535"),
    ("port: 65536\n", "line 1, port: \"65536\" is not valid", "0 to 65535"),
    ("log-format: xml\n", "line 1, log-format: \"xml\"", "text, json"),
    ("source-rate: -1\n", "line 1, source-rate: \"-1\"", "above 0"),
    ("request-timeout: nan\n", "line 1, request-timeout: \"nan\"", "above 0"),
    ("host: [a, b]\n", "line 1: host has more than one value", "one value"),
    ("port: 1\nport: 2\n", "a setting is there twice", "once"),
    ("just text\n", "is not a list of settings", "port: 8443"),
    ("port: 'unfinished\n", "this is not YAML", "once"),
  ])
  func `A file with a mistake is refused with the line and the remedy`(
    text: String, message: String, remedy: String
  ) throws {
    try file.write(text)
    let refused = try run([
      "serve", "--config", file.path, "--certificate", "x", "--private-key", "y",
      "--embedded", TemporaryFile().path,
    ])
    #expect(refused.status == 2)
    #expect(refused.errors.contains(file.path))
    #expect(refused.errors.contains(message), "\(refused.errors)")
    #expect(refused.errors.contains(remedy), "\(refused.errors)")
    #expect(refused.output.isEmpty)
  }

  @Test func `A bad value is refused wherever it comes from`() throws {
    let serve = ["serve", "--certificate", "x", "--private-key", "y"]
    let byFlag = try run(serve + ["--workers", "0"])
    #expect(byFlag.status == 2 && byFlag.errors.contains("--workers: \"0\" is not valid"))
    let byVariable = try run(serve, environment: ["ATREST_KEYSERVER_WORKERS": "many"])
    #expect(byVariable.status == 2)
    #expect(byVariable.errors.contains("ATREST_KEYSERVER_WORKERS: \"many\" is not valid"))
  }

  @Test func `A missing setting is named with the ways to set it`() throws {
    let refused = try run(["account", "list"])
    #expect(refused.status == 2)
    for way in ["--database", "ATREST_KEYSERVER_DATABASE", "database in the settings file"] {
      #expect(refused.errors.contains(way))
    }
    // An empty variable is no value.
    let empty = try run(["account", "list"], environment: ["ATREST_KEYSERVER_DATABASE": ""])
    #expect(empty.status == 2 && empty.errors == refused.errors)
  }

  @Test func `Two databases in one place are refused`() throws {
    let refused = try run(["account", "list", "--database", "a", "--embedded", "b"])
    #expect(refused.status == 2)
    #expect(refused.errors.contains("--database and --embedded name two databases"))
  }

  @Test func `A missing file is not found`() throws {
    let refused = try run(["account", "list", "--config", "/nonexistent/settings.yaml"])
    #expect(refused.status == 3 && refused.errors.contains("/nonexistent/settings.yaml"))
  }

  @Test func `A variable that is no setting is named in the log`() throws {
    let database = try TestDatabase(.embedded)
    let program = try ServerProgram(
      database, environment: ["ATREST_KEYSERVER_PROT": "8443"])
    #expect(program.stop() == 0)
    #expect(try program.log().contains("variable=ATREST_KEYSERVER_PROT"))
  }
}
