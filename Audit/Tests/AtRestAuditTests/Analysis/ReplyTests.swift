import AtRestAudit
import Testing

/// The severity of a reply of a server in a log follows what the code shows of it.
@Suite struct ReplyTests {
  private func severities(_ code: String) throws -> [Severity] {
    try Audit(tree: SourceTree(files: ["A.swift": code])).run().findings
      .filter { $0.rule == "log-sensitive" }.map(\.severity)
  }

  private func code(_ log: String, decoding type: String) -> String {
    """
    struct Answer: Decodable { let accessToken: String }
    struct Story: Decodable { let title: String }

    func load(_ request: inout URLRequest, accessToken: String) {
      request.setValue("Bearer \\(accessToken)", forHTTPHeaderField: "Authorization")
      URLSession.shared.dataTask(with: request) { data, response, error in
        guard let data else { return }
        \(log)(String(data: data, encoding: .utf8) ?? "")
        show(try? JSONDecoder().decode(\(type).self, from: data))
      }.resume()
    }
    """
  }

  @Test func aTokenThatIsTakenOutIsHigh() throws {
    #expect(try severities(code("NSLog", decoding: "Answer")) == [.high])
    #expect(try severities(code("print", decoding: "Answer")) == [.low])
  }

  @Test func anyOtherReplyIsLow() throws {
    #expect(try severities(code("NSLog", decoding: "Story")) == [.low])
  }

  @Test func theReplyOfALoginIsMedium() throws {
    let login = code("NSLog", decoding: "Story").replacing("func load(", with: "func login(")
      .replacing(
        "URLSession.shared", with: "request.url = URL(string: \"/v1/oauth\"); URLSession.shared")
    #expect(try severities(login) == [.medium])
  }
}
