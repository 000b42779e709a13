/// What no program can judge: questions to the people who make the app.
public enum Checklist {
  public struct Question: Hashable, Codable, Sendable {
    /// Stable, lower case with hyphens: `recovery-codes-stay-private`.
    public let id: String
    public let question: String
    /// When it is of interest, and what a good answer tells.
    public let guidance: String
    /// Where the field asks it.
    public let reference: String
  }

  /// MSTG-STORAGE-12: the app tells its users what it does with what is theirs, and how to stay safe.
  public static let all: [Question] = [
    question(
      "store-privacy-details",
      "Do the privacy details in the app store name all personal data that the app collects?",
      """
      Compare the privacy manifests, the findings of third-party-sharing and what the servers keep \
      with what the store shows. Answer with the date of the comparison and where its result is kept.
      """),
    question(
      "privacy-report-matches",
      "Does a recorded privacy report show no access that the store's details leave out?",
      """
      Turn on the recording of app activity on a device, use each part of the app, export the report \
      and compare. Answer with the version that was used.
      """),
    question(
      "prominent-disclosure",
      "Does the app say, before it collects, what personal data it takes, uses and shares?",
      """
      On a screen of the app and not in a policy alone; with the permission of App Tracking \
      Transparency where users are tracked. Answer with the name of the screen.
      """),
    question(
      "other-fingers-and-faces",
      "Where biometry opens something of value, are users told who else can open it?",
      """
      Everybody whose finger or face is enrolled on the device can. Answer with the name of the \
      screen, or that biometry opens nothing.
      """),
    question(
      "risk-on-jailbroken-devices",
      "Where the app detects a jailbreak, are users told what becomes riskier by it?",
      "Answer with the text that they are shown, or that the app does not look for one."),
    question(
      "recovery-codes-stay-private",
      "Are users who get a password, PIN or recovery code told never to give it to anyone?",
      """
      And that nobody but the app ever asks for it. Answer with the name of the screen, or that the \
      app gives and sets none.
      """),
    question(
      "official-distribution",
      "Do users learn where the app is to be had, and that a copy from elsewhere is not safe?",
      "For apps whose forgery pays: banks, health, messengers. Answer with where it is said."),
  ]

  private static func question(_ id: String, _ question: String, _ guidance: String) -> Question {
    Question(id: id, question: question, guidance: guidance, reference: "MSTG-STORAGE-12")
  }
}
