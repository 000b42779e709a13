/// Questions that no program can answer, for the people who make the app.
public enum Checklist {
  public struct Question: Hashable, Codable, Sendable {
    /// The stable identifier, in lower case with hyphens: `recovery-codes-stay-private`.
    public let id: String
    public let question: String
    /// When the question applies, and what a good answer contains.
    public let guidance: String
    /// The requirement that asks the question.
    public let reference: String
  }

  /// The questions of MSTG-STORAGE-12: the app tells its users how it handles their data and how to
  /// stay safe.
  public static let all: [Question] = [
    question(
      "store-privacy-details",
      "Do the privacy details in the app store name all personal data that the app collects?",
      """
      Compare the privacy manifests, the findings of third-party-sharing and the data on your \
      servers with the details in the app store. Answer with the date of the comparison and the \
      place of its result.
      """),
    question(
      "privacy-report-matches",
      "Do the privacy details name every access that a recorded privacy report shows?",
      """
      Record the app activity on a device, use each part of the app, export the report and \
      compare. Answer with the version that was used.
      """),
    question(
      "prominent-disclosure",
      "Does the app say what personal data it collects, uses and shares, before it collects it?",
      """
      It must say so on a screen of the app, not only in a policy. If users are tracked, App \
      Tracking Transparency must ask for permission. Answer with the name of the screen.
      """),
    question(
      "other-fingers-and-faces",
      "If biometry unlocks something valuable, are users told who else can unlock it?",
      """
      Everybody whose finger or face is enrolled on the device can unlock it. Answer with the \
      name of the screen, or that biometry unlocks nothing.
      """),
    question(
      "risk-on-jailbroken-devices",
      "If the app detects a jailbreak, are users told about the risks?",
      "Answer with the text that they see, or that the app does not detect jailbreaks."),
    question(
      "recovery-codes-stay-private",
      "Are users who get a password, PIN or recovery code told never to give it to anyone?",
      """
      They must also be told that nobody but the app ever asks for it. Answer with the name of the \
      screen, or that the app neither issues nor sets one.
      """),
    question(
      "official-distribution",
      "Do users learn where to get the app, and that copies from elsewhere are not safe?",
      """
      This applies to apps that are worth forging: banks, health, messengers. Answer with the place \
      where they learn it.
      """),
  ]

  private static func question(_ id: String, _ question: String, _ guidance: String) -> Question {
    Question(id: id, question: question, guidance: guidance, reference: "MSTG-STORAGE-12")
  }
}
