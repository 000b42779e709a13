extension Checklist {
  /// Returns the questions with the answers in the settings.
  public static func answers(_ settings: Settings) -> [AuditReport.ChecklistAnswer] {
    all.map { .init(id: $0.id, question: $0.question, answer: settings.checklist[$0.id]) }
  }
}
