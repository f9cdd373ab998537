/*
 * A web service that plays seats of halma; each path behaves differently.
 */
import { createServer } from "node:http";

/* Every piece can hold its square. */
const hold = ({ pieces: [{ x, y }] }) => JSON.stringify({ from: { x, y }, to: [{ x, y }] });

const WAYS = {
    holds: (board) => [200, hold(board)],
    html: () => [200, "<html>It works!</html>"],
    two: (board) => [200, `[${hold(board)},${hold(board)}]`],
    part: ({ pieces: [{ x, y }] }) => [200, JSON.stringify({ from: { x, y } })],
    status: (board) => [500, hold(board)],
    never: () => null,
};

export class Service {
    static async start() {
        const service = new Service();
        service.server = createServer(async (request, answer) => {
            let body = "";
            for await (const part of request) {
                body += part;
            }
            const said = WAYS[request.url.slice(1)](JSON.parse(body));
            if (said !== null) {
                answer.writeHead(said[0], { "content-type": "application/json" }).end(said[1]);
            }
        });
        await new Promise((resolve) => service.server.listen(0, "127.0.0.1", resolve));
        service.port = service.server.address().port;
        /* What a daemon needs to call it. */
        service.options = [
            "--bot-hosts",
            `127.0.0.1:${service.port}`,
            "--bot-networks",
            "127.0.0.1",
            "--bot-plain-http",
            "yes",
        ];
        return service;
    }

    url(way) {
        return `http://127.0.0.1:${this.port}/${way}`;
    }

    stop() {
        this.server.closeAllConnections?.();
        this.server.close();
    }
}
