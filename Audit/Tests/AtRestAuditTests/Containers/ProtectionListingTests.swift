import AtRestAudit
import AtRestContainers
import Testing

@Suite struct ProtectionListingTests {
  private static let files = [
    "Documents/a.json": Array(#"{"password": "Tr0ub4dor3x"}"#.utf8)
  ]

  private func report(_ listing: String?) throws -> AuditReport {
    var audit = ContainerAudit(name: "Bank", ContainerSource(files: Self.files))
    audit.listing = try listing.map { try ProtectionListing($0) }
    return try audit.run()
  }

  @Test func classIsTakenFromTheListing() throws {
    let report = try report("# made on the device\nNSFileProtectionComplete\tDocuments/a.json\n")
    #expect(report.findings.map(\.exhibit?.protectionClass) == ["NSFileProtectionComplete"])
    #expect(report.findings.map(\.severity) == [.medium])
    #expect(report.containers[0].files[0].protectionClass == "NSFileProtectionComplete")
  }

  @Test func withoutOneTheClassIsNotKnown() throws {
    let report = try report(nil)
    #expect(report.findings.map(\.exhibit?.protectionClass) == [nil])
    #expect(report.findings.map(\.severity) == [.high])
  }

  @Test func lineThatIsNoneIsNamed() {
    #expect(throws: FormatError.self) { try ProtectionListing("Documents/a.json\n") }
  }
}
