// Workers of the page.

// Starts a worker: `onMessage` gets what it says, and `onFault` a sentence if it cannot run.
export const startWorker = (url, onMessage, onFault, fault) => {
  const worker = new Worker(url, { type: "module" });
  worker.onmessage = ({ data }) => onMessage(data);
  worker.onerror = (event) => onFault(event.message || fault);
  worker.onmessageerror = () => onFault(fault);
  return worker;
};

// Ends a worker, if there is one. Messages that are still on their way are ignored.
export const endWorker = (worker) => {
  if (!worker) return;
  worker.terminate();
  worker.onmessage = worker.onerror = worker.onmessageerror = null;
};
