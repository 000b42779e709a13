extension Checklist {
  /// The questions with the answers that the settings give.
  public static func answers(_ settings: Settings) -> [AuditReport.ChecklistAnswer] {
    all.map { .init(id: $0.id, question: $0.question, answer: settings.checklist[$0.id]) }
  }
}
