import Foundation
import Testing

/// `docker-credential-atrest` speaks the protocol of docker's credential helpers.
struct DockerCredentialTests {
  private let credential: CredentialRun

  init() throws { credential = try CredentialRun() }

  private func docker(_ operation: String, _ input: String = "") throws -> CommandRun.Result {
    try credential("docker-credential-atrest", operation, input: input)
  }

  private let server = "https://index.example.org/v1/"

  private func login(_ user: String, _ secret: String) throws -> String {
    let object = ["ServerURL": server, "Username": user, "Secret": secret]
    return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
  }

  @Test func aPasswordIsStoredReadListedAndErased() throws {
    let secret = "a\"b\\c\n\u{1}ä😀"
    #expect(try docker("store", login("eva", secret)).status == 0)
    let read = try docker("get", server + "\n")
    #expect(
      read.json as? [String: String] == [
        "ServerURL": server, "Username": "eva", "Secret": secret,
      ])
    // A registry has one user.
    #expect(try docker("store", login("adam", "two")).status == 0)
    #expect(try docker("get", server).json["Username"] as? String == "adam")
    #expect(try docker("list").json as? [String: String] == [server: "adam"])
    #expect(try docker("erase", server).status == 0)
    #expect(try docker("list").text == "{}\n")
  }

  @Test func theTextsOfTheProtocolAreKept() throws {
    for operation in ["get", "erase"] {
      let missing = try docker(operation, server)
      #expect(missing.status == 1)
      #expect(missing.text == "credentials not found in native keychain\n")
    }
    #expect(try docker("get").text.hasPrefix("no credentials server URL"))
    #expect(try docker("store", "{}").status == 2)
    #expect(try docker("version").text.hasPrefix("docker-credential-atrest"))
  }

  /// The program shows that the store is locked, and does not take the password for missing.
  @Test func lockedIsNotMissing() throws {
    _ = try docker("store", login("eva", "one"))
    _ = try credential.lock()
    for operation in ["get", "list"] {
      let locked = try docker(operation, server)
      #expect(locked.status == 4)
      #expect(locked.text.contains("locked") && !locked.text.contains("not found"))
    }
  }

  /// The items of other programs are not listed or erased.
  @Test func otherItemsAreNotTouched() throws {
    _ = try credential.run("add", "--service", server, "--account", "eva", input: "mine")
    #expect(try docker("list").text == "{}\n")
    #expect(try docker("erase", server).status == 1)
  }

  /// skopeo logs in to a registry on this machine, and calls the helper.
  @Test(
    .enabled(
      if: CredentialRun.isInstalled("skopeo") && CredentialRun.isInstalled("python3"),
      "skopeo or python3 is not installed"))
  func skopeoLogsIn() throws {
    let script = try credential.run.file("login.py", Self.registry)
    let result = try credential("python3", script)
    #expect(result.status == 0, "\(result.notes) \(result.text)")
    #expect(result.text.contains("Login Succeeded!"))
    #expect(result.text.contains("user: eva"))
    #expect(result.text.contains("Removed login credentials"))
    #expect(try docker("list").text == "{}\n")
  }

  /// A registry that only checks the password, and the commands of skopeo.
  private static let registry = """
    import base64, http.server, json, os, subprocess, threading
    class Registry(http.server.BaseHTTPRequestHandler):
      def do_GET(self):
        expected = "Basic " + base64.b64encode(b"eva:pass").decode()
        if self.headers.get("Authorization") == expected:
          self.send_response(200)
        else:
          self.send_response(401)
          self.send_header("WWW-Authenticate", 'Basic realm="test"')
        self.send_header("Content-Length", "0")
        self.end_headers()
      def log_message(self, *arguments): pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Registry)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    name = f"127.0.0.1:{server.server_port}"
    file = os.path.join(os.environ["HOME"], "auth.json")
    open(file, "w").write(json.dumps({"credHelpers": {name: "atrest"}}))
    def run(*words, text=""):
      print(subprocess.run(words, input=text, text=True, check=True, stdout=subprocess.PIPE).stdout)
    run("skopeo", "login", "--authfile", file, "--tls-verify=false", "-u", "eva", "--password-stdin",
      name, text="pass")
    assert "auth" not in json.load(open(file)).get("auths", {}).get(name, {})
    print("user:", end=" ")
    run("skopeo", "login", "--authfile", file, "--get-login", name)
    run("skopeo", "logout", "--authfile", file, name)
    """
}
