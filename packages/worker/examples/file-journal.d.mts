import type { Journal, WorkerSnapshot } from "@tsukumo/worker";

export function openFileJournal(path: string): Journal & { close(): void };
export function readFileJournal(path: string): WorkerSnapshot;
