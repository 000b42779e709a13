@_spi(Testing) import AtRestSecrets
import Foundation
import Testing

/// The table of the forms of secrets is whole, and its page in the documentation shows it.
@Suite struct SecretFormTests {
  @Test func thePageShowsTheTable() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "docs/Secrets.md"), encoding: .utf8)
    #expect(
      page.contains(SecretForm.markdown),
      "Replace the tables in docs/Secrets.md by the output of `atrest-audit rules secrets`.")
  }

  @Test(arguments: SecretForm.all.indices) func aFormIsKnownToMoreThanOnePart(_ index: Int) {
    let form = SecretForm.all[index]
    let consumers = SecretConsumer.allCases.filter(form.isFound)
    let isPublic = TokenForm.all.contains { $0.name == form.name && $0.use == .published }
    #expect(isPublic ? consumers.isEmpty : consumers.count > 1, "\(form.name)")
    #expect(!form.source.isEmpty)
  }

  @Test func everyFormHasASample() {
    for group in SecretForm.Group.allCases {
      let samples = SecretSample.all.filter { $0.group == group }
      #expect(samples.count >= SecretForm.all.count { $0.group == group })
    }
    #expect(SecretSample.all.count { $0.group == .accounts } == AccountForm.lengths.count)
    #expect(
      SecretSample.all.count { $0.group == .tokens } == TokenForm.all.flatMap(\.prefixes).count)
  }

  /// The keys in the documentation of services are none.
  @Test func anExampleIsNoSecret() {
    let help = "credential_process = atrest credential aws "
    #expect(RecognisedSecret(in: help + "AKIAIOSFODNN7EXAMPLE", by: .code) == nil)
    #expect(RecognisedSecret(in: help + "AKIAIOSFODNN7EXAMPQZ", by: .code) != nil)
  }

  @Test func noPrefixIsInTwoForms() {
    let prefixes = TokenForm.all.flatMap(\.prefixes)
    #expect(Set(prefixes).count == prefixes.count)
  }

  @Test(arguments: TokenForm.all.indices) func aTokenHasExactlyItsForm(_ index: Int) {
    let form = TokenForm.all[index]
    guard form.use != .published else { return }
    for sample in SecretSample.all
    where sample.name.hasPrefix(form.name + " ") && sample.group == .tokens {
      let isFound = RecognisedSecret(in: sample.text, by: .code) != nil
      #expect(isFound, "\(sample.name)")
      #expect(RecognisedSecret(in: "see (\(sample.text)).", by: .code) != nil)
      // Control: a shorter text, a placeholder, and a longer word with the same end.
      let short = String(sample.text.prefix(max(sample.text.count / 3, 5)))
      #expect(RecognisedSecret(in: short + "                ", by: .code) == nil)
      let prefix = form.prefixes.first(where: sample.text.hasPrefix) ?? ""
      let filled = prefix + String(repeating: "x", count: form.exact.count.lowerBound)
      #expect(RecognisedSecret(in: filled, by: .code) == nil)
      // `xoxe.xoxp-…` has a token within it.
      guard !prefix.contains(".") else { continue }
      #expect(RecognisedSecret(in: "my_" + sample.text, by: .code) == nil)
    }
  }
}
