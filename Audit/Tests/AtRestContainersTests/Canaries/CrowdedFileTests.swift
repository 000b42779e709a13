import AtRestContainers
import Testing

@Suite struct CrowdedFileTests {
  /// A canary that is everywhere in a file must not hide one that is there once.
  @Test(arguments: ["a.log", "a.json"]) func aCanaryEverywhereHidesNoOther(_ name: String) throws {
    let often = try Canary(name: "often", value: "kanarie-often-1")
    let once = try Canary(name: "once", value: "kanarie-once-2")
    let lines = (0..<3000).map { "user kanarie-often-1 opened page \($0)" }
    let text =
      name == "a.log"
      ? (lines + ["kanarie-once-2"]).joined(separator: "\n")
      : "{\"text\": \"\(lines.joined(separator: " ")) kanarie-once-2\"}"
    let result = try ContainerScan(
      ContainerSource(files: [name: Array(text.utf8)]), canaries: [often, once]
    ).run()
    func count(_ canary: Canary) -> Int {
      result.discoveries.count { found in
        if case .canary(canary, _) = found.subject { true } else { false }
      }
    }
    #expect(count(once) == 1)
    #expect((1...100).contains(count(often)))
    #expect(result.furtherDiscoveries > 0)
  }
}
